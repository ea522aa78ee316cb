# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Sourced by scripts/release: installs each artefact in a clean root of its suite and machine, and asks it for the main job, a test
# on the processor through PoCL, and for `orchil doctor`. One line each goes to the terminal and to $logs/try.txt.

# arm64 runs under qemu, where PoCL's compiler takes half a minute rather than a second. The control of
# store buffering showed its forbidden outcome there (docs/internals/releasing.md), so message passing is run.
main_job() {
    limit= test=SB+relaxed
    [ "$root_machine" = amd64 ] || limit="--build-limit 250" test=MP+relaxed
    echo "run $limit --device opencl --time 0.2 opencl:$test"
}

# timed NAME COMMAND...: sets $code and $seconds. What was said is left in $logs/try-$label-NAME.log.
timed() {
    log=$logs/try-$label-$1.log
    shift
    start=$(date +%s%N) code=0
    inside "$@" >"$log" 2>&1 </dev/null || code=$?
    seconds=$(printf '%s\n' "$start $(date +%s%N)" | awk '{ printf "%.1f", ($2 - $1) / 1e9 }')
    [ "$code" -eq 0 ] || wrong "exit code $code: $* ($log)"
}

# What is wrong is named at once, and the other artefacts are tried too.
wrong() {
    echo "try: $label: $*" | tee -a "$logs/try.txt" >&2
    try_failed=1
}

# Whatever is called orchil in the root, apart from the trial's own files and the records of what was installed.
list_left() {
    (cd "$root" && find . -xdev \( -path ./trial -o -path ./var/log -o -path ./var/cache \) -prune -o -name '*orchil*' -print |
        LC_ALL=C sort)
}

try_root() {
    clean_root_make "$1" "$2"
    built_for=
    mkdir -p "$root/trial"
    timed root apt-get -qq update
    timed root apt-get -qq --yes --no-install-recommends install man-db python3-pip
}

# A driver for the processor, where the artefact does not bring it.
try_driver() {
    timed driver apt-get -qq --yes --no-install-recommends install ocl-icd-libopencl1 pocl-opencl-icd
}

# try_program PROGRAM SIZE: the line of an installed program, whose files have SIZE KiB.
try_program() {
    rm -rf "$root/trial/orchil.db"
    timed version "$1" --version
    grep -q "^orchil $version\b" "$log" || wrong "$1 --version: orchil $version was expected ($log)"
    timed libraries ldd "$(inside sh -c "command -v $1")"
    libraries=$(awk '{ print $1 }' "$log" | sed 's|.*/||; /vdso/d; /^ld-linux/d' | LC_ALL=C sort | tr '\n' ' ')
    timed doctor sh -c "cd /trial && $1 doctor"
    grep -q 'can run tests' "$log" || wrong "$1 doctor: a line with the devices that can run tests was expected ($log)"
    doctor="exit $code in $seconds s"
    timed run sh -c "cd /trial && $1 $(main_job)"
    [ -s "$root/trial/orchil.db" ] || wrong "$1 run left no database"
    printf '%s: main job exit %s in %s s; doctor %s; %s KiB installed; ldd %s\n' "$label" "$code" "$seconds" "$doctor" "$2" "$libraries" |
        tee -a "$logs/try.txt"
}

# What comes with a package: the manual, completion, models and profiles.
try_share() {
    for page in orchil orchil-run orchil-gate-baseline; do
        timed "man-$page" sh -c "man --where $page && man $page | grep '^EX'"
    done
    timed completion bash -n /usr/share/bash-completion/completions/orchil
    [ -s "$root/usr/share/doc/orchil/orchil.spdx.json" ] || wrong "orchil.spdx.json is not installed: the list of the libraries"
    timed model orchil check --model /usr/share/orchil/models/ptx.cat ptx:MP+relaxed
    timed profile sh -c 'cd /trial && orchil run --device opencl --time 0.1 --profile /usr/share/orchil/profiles/cpu.ini opencl:SB+relaxed'
}

try_left() {
    [ -z "$(list_left)" ] || wrong "left after the removal: $(list_left | head -n 5)"
}

# The Python package reads the database that the main job left.
try_python() {
    timed python env PYTHONPATH="$1" python3 -c "
import orchil
with orchil.open_database('/trial/orchil.db') as database:
    print(orchil.__file__, sum(job['instances'] for job in database.jobs()))"
}

try_deb() {
    label=$(basename "$1")
    cp "$1" "$out/debian/$suite"/python3-orchil_*.deb "$root/trial"
    timed install sh -c 'apt-get -qq --yes --no-install-recommends install /trial/orchil_*.deb /trial/python3-orchil_*.deb'
    try_program orchil "$(inside dpkg-query -W -f '${Installed-Size}' orchil)"
    try_python ''
    [ "$root_machine" != amd64 ] || try_share
    timed remove apt-get -qq --yes purge orchil python3-orchil
    try_left
}

# rpm does not know what Debian's packages provide, so what the package needs is read instead.
try_rpm() {
    label=$(basename "$1")
    foreign=$(rpm -qp --requires "$1" 2>/dev/null | grep -vE '^(lib[cm]\.so\.6|ld-linux|rpmlib|rtld)' || :)
    [ -z "$foreign" ] || wrong "the .rpm needs more than libc: $foreign"
    quietly rpm --root "$root" --initdb
    quietly rpm --root "$root" --install --nodeps --ignorearch "$1"
    quietly rpm --root "$root" --verify --nodeps orchil
    try_program orchil "$(($(rpm -qp --queryformat '%{SIZE}' "$1") / 1024))"
    [ "$root_machine" != amd64 ] || try_share
    quietly rpm --root "$root" --erase orchil
    try_left
}

try_tar() {
    label=$(basename "$1")
    tar -xzf "$1" -C "$root/trial"
    folder=/trial/$(basename "$1" .tar.gz)
    for file in third-party.txt orchil.spdx.json; do
        [ -s "$root$folder/share/doc/orchil/$file" ] || wrong "it lacks $file, which names its libraries"
    done
    try_program "$folder/bin/orchil" "$(du -sk "$root$folder" | cut -f 1)"
    [ "$root_machine" != amd64 ] || quietly scripts/check-portable "$root$folder/bin/orchil"
}

# With the program of the .tar.gz, in a folder without anything else.
try_wheel() {
    label=$(basename "$1")
    cp "$1" "$root/trial"
    timed install sh -c "pip install --quiet --no-index --target /trial/wheel /trial/$label"
    try_python /trial/wheel
    printf '%s: exit %s in %s s: %s; %s KiB installed\n' "$label" "$code" "$seconds" "$(cat "$log")" "$(du -sk "$root/trial/wheel" | cut -f 1)" |
        tee -a "$logs/try.txt"
}

# As a container engine does it, with the devices of any other root.
try_container() {
    label=$(basename "$1")
    clean_root_unmount
    rm -rf --one-file-system "$root"
    mkdir "$root"
    root_machine=amd64
    program=$(packaging/oci unpack "$1" "$root")
    clean_root_mount
    mkdir "$root/trial"
    try_program "$program" "$(du -skx "$root" | cut -f 1)"
}

make_try() {
    : >"$logs/try.txt"
    try_failed=0
    home=/trial/home # what the program keeps for its user is not left by the package
    for suite in $suites; do
        for machine in $machines; do
            set -- "$out/debian/$suite"/orchil_*_"$machine".deb
            [ -e "$1" ] || continue
            label=$suite-$machine
            try_root "$suite" "$machine"
            try_driver
            try_deb "$1"
            [ "$suite" = bookworm ] || continue
            cpu=x86_64
            [ "$machine" = amd64 ] || cpu=aarch64
            try_rpm "$out/orchil-$version-1.$cpu.rpm"
            try_tar "$out/orchil-$version-linux-$cpu.tar.gz"
            [ "$machine" != amd64 ] || try_wheel "$out/orchil-$version-py3-none-any.whl"
        done
    done
    case " $machines-$suites " in *amd64*-*bookworm*) try_container "$out/orchil-$version-container-amd64.tar" ;; esac
    return "$try_failed"
}
