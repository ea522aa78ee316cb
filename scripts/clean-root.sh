# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Sourced by scripts that try orchil in a clean root folder of Debian ($root in $scratch): makes it, runs commands in it, and
# removes it however the script ends. Needs root and debootstrap.

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# quietly COMMAND...: shows what the command says only if it fails.
quietly() {
    "$@" >"$scratch/log" 2>&1 </dev/null || {
        cat "$scratch/log" >&2
        fail "$*"
    }
}

# clean_root_begin "$0" "$@": starts the script again where its mounts are its own, so that they vanish with it, and makes $scratch.
clean_root_begin() {
    if [ -z "${ORCHIL_UNSHARED:-}" ]; then
        ORCHIL_UNSHARED=1 exec unshare --mount --propagation private "$@"
    fi
    scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/orchil-root.XXXXXX")
    root=$scratch/root
    trap clean_root_end EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

clean_root_end() {
    clean_root_unmount
    if grep -q " $scratch/" /proc/self/mountinfo; then
        echo "still mounted, so it is not removed: $scratch" >&2
    else
        rm -rf --one-file-system "$scratch"
    fi
}

clean_root_unmount() {
    for mounted in ccache proc dev sys; do
        ! mountpoint -q "$root/$mounted" || umount --recursive --lazy "$root/$mounted"
    done
}

# Where this machine gets Debian's packages; nothing if it is no Debian, and debootstrap takes its default. Ubuntu's for noble.
clean_root_mirror() {
    case $1-${2:-amd64} in
    noble-amd64) echo http://archive.ubuntu.com/ubuntu && return 0 ;;
    noble-arm64) echo http://ports.ubuntu.com/ubuntu-ports && return 0 ;;
    esac
    # shellcheck source=/dev/null
    codename=$(. /etc/os-release && [ "$ID" = debian ] && echo "$VERSION_CODENAME") || return 0
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Release: $codename" | head -n 1
}

# clean_root_cannot SUITE [MACHINE]: prints why no root of the suite can be made here; fails if one can.
clean_root_cannot() {
    [ "$1" = noble ] || return 1
    ubuntu_keys=/usr/share/keyrings/ubuntu-archive-keyring.gpg
    if [ ! -e "$ubuntu_keys" ]; then
        echo "$ubuntu_keys is not here, so packages of Ubuntu cannot be trusted: it comes with Ubuntu's package ubuntu-keyring"
    elif ! apt-helper download-file "$(clean_root_mirror "$@")/dists/$1/InRelease" "$scratch/mirror" >/dev/null 2>&1; then
        echo "the mirror $(clean_root_mirror "$@") is not reached"
    else
        return 1
    fi
}

# A static qemu-aarch64, which starts arm64 programs also in a root without it.
clean_root_qemu() {
    for qemu in qemu-aarch64-static qemu-aarch64; do
        ! file -L "$(command -v $qemu)" 2>/dev/null | grep -q 'statically linked\|static-pie' || return 0
    done
    qemu=$scratch/qemu/usr/bin/qemu-aarch64-static
    [ -e "$qemu" ] || (mkdir -p "$scratch/qemu" && cd "$scratch/qemu" && quietly apt-get download qemu-user-static &&
        dpkg-deb -x qemu-user-static_*.deb .)
}

# clean_root_unpack SUITE MACHINE: a minimal root. Those of another machine configure their packages under qemu.
clean_root_unpack() {
    mirror=$(clean_root_mirror "$@")
    foreign= keys= script=
    [ "$2" = amd64 ] || foreign=--foreign
    if [ "$1" = noble ]; then keys="--keyring=$ubuntu_keys --components=main,universe" script=gutsy; fi
    # shellcheck disable=SC2086
    quietly debootstrap --variant=minbase --arch="$2" $foreign $keys "$1" "$root" ${mirror:+"$mirror"} $script
    [ -z "$foreign" ] || {
        # In a user namespace no devices can be made; debootstrap knows that of LXC.
        clean_root_mount
        quietly in_clean_root env container=lxc /debootstrap/debootstrap --second-stage
        clean_root_unmount
    }
}

# clean_root_make SUITE [MACHINE]: a minimal Debian, with apt's settings for transfers (a proxy) of this machine, replaces what was
# in $root. ORCHIL_ROOTS names a folder in which it is kept for the next call.
clean_root_make() {
    clean_root_unmount
    rm -rf --one-file-system "$root"
    root_machine=${2:-amd64}
    [ "$root_machine" = amd64 ] || clean_root_qemu
    kept=${ORCHIL_ROOTS:+$ORCHIL_ROOTS/$1-$root_machine.tar}
    if [ -n "$kept" ] && [ -e "$kept" ]; then
        mkdir "$root"
        tar -xpf "$kept" -C "$root"
    else
        clean_root_unpack "$1" "$root_machine"
        [ -z "$kept" ] || { tar -cpf "$kept.new" -C "$root" . && mv "$kept.new" "$kept"; }
    fi
    apt-config dump Acquire >"$root/etc/apt/apt.conf.d/90machine"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/trial" # the root is thrown away
    clean_root_mount
}

# The devices are the root's own: what a trial does to them does not reach the machine, nor its state the trial.
clean_root_mount() {
    mount --rbind /proc "$root/proc"
    mount --rbind /sys "$root/sys" # where PoCL finds the processor
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    for device in null:3 zero:5 full:7 random:8 urandom:9; do
        mknod -m 666 "$root/dev/${device%:*}" c 1 "${device#*:}"
    done
    mknod -m 666 "$root/dev/tty" c 5 0
    mkdir -m 1777 "$root/dev/shm"
    mkdir "$root/dev/pts"
    mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"
    for stream in in:0 out:1 err:2; do
        ln -s "/proc/self/fd/${stream#*:}" "$root/dev/std${stream%:*}"
    done
}

# in_clean_root COMMAND...: with the environment of a new user.
in_clean_root() {
    [ "${root_machine:-amd64}" = amd64 ] || set -- scripts/emulated "$qemu" chroot "$root" "$@"
    [ "${root_machine:-amd64}" != amd64 ] || set -- chroot "$root" "$@"
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb "$@"
}
