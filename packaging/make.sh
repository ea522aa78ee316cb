# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Sourced by scripts/release: makes the artefacts of $version in $out, one function make_PART for each part. Builds run in a clean
# root ($root), in a folder whose name differs each time, so that artefacts which contain it differ.

# inside COMMAND...: in the clean root; with ccache where the caller wants it.
inside() {
    # shellcheck disable=SC2086
    in_clean_root env HOME="${home:-/root}" DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" \
        ${ORCHIL_CCACHE:+CMAKE_C_COMPILER_LAUNCHER=ccache CCACHE_DIR=/ccache CCACHE_NOHASHDIR=1 CCACHE_BASEDIR="${folder:-/}"} "$@"
}

# What a command of the release needs from an earlier part.
need() {
    for file in "$@"; do
        [ -e "$file" ] || fail "$file is not there: make it first (scripts/release --only PART, see --help)"
    done
}

apt_get() {
    inside apt-get -qq -o Acquire::Retries=3 --yes --no-install-recommends "$@"
}

# build_root SUITE: the root with what the build needs, and the source.
build_root() {
    [ "${built_for:-}" != "$1" ] || return 0
    need "$source"
    clean_root_make "$1"
    built_for=$1
    folder=/$(basename "$scratch")
    tree=$folder/orchil-$version
    mkdir "$root$folder"
    tar -xzf "$source" -C "$root$folder"
    cp -r "$root$tree/packaging/debian" "$root$tree/debian"
    cp "$source" "$root$folder/orchil_$version.orig.tar.gz"
    if [ -n "${ORCHIL_CCACHE:-}" ]; then
        mkdir -p "$ORCHIL_CCACHE" "$root/ccache"
        mount --bind "$ORCHIL_CCACHE" "$root/ccache"
        logged "root-$1-ccache" apt_get install ccache
    fi
    logged "root-$1-amd64" inside sh -euc "cd $tree && apt-get -qq update &&
        apt-get -qq --yes --no-install-recommends build-dep ./ && apt-get -qq --yes --no-install-recommends install rpm file"
    case " $machines " in
    *" arm64 "*) logged "root-$1-arm64" inside sh -euc "cd $tree && dpkg --add-architecture arm64 && apt-get -qq update &&
        apt-get -qq --yes --no-install-recommends install gcc-aarch64-linux-gnu libc6-dev:arm64 &&
        apt-get -qq --yes --no-install-recommends build-dep -a arm64 -P cross ./" ;;
    esac
}

# With --dirty, of a commit that no branch has and that is the same each time.
make_source() {
    archived=HEAD
    if [ -n "$dirty" ]; then
        who="GIT_AUTHOR_NAME=orchil GIT_AUTHOR_EMAIL=orchil GIT_COMMITTER_NAME=orchil GIT_COMMITTER_EMAIL=orchil"
        changed=$(git stash create)
        # shellcheck disable=SC2086
        archived=$(env $who GIT_AUTHOR_DATE="@$SOURCE_DATE_EPOCH" GIT_COMMITTER_DATE="@$SOURCE_DATE_EPOCH" \
            git commit-tree -m "as it is" "${changed:-HEAD}^{tree}")
    fi
    git -c tar.umask=0022 archive --format=tar --prefix="orchil-$version/" --output="$scratch/source.tar" "$archived"
    gzip -9n <"$scratch/source.tar" >"$source"
    build_root bookworm
    mkdir -p "$out/debian"
    logged source inside sh -euc "cd $folder && dpkg-source --build orchil-$version"
    cp "$root$folder"/orchil_*.dsc "$root$folder"/orchil_*.debian.tar.* "$root$folder"/orchil_*.orig.tar.gz "$out/debian"
}

# rebuilt_for SUITE: the changelog of packages for one suite. They are older than packages that a distribution makes itself.
rebuilt_for() {
    case $1 in
    bookworm) suffix='~deb12' ;;
    trixie) suffix='~deb13' ;;
    noble) suffix='~ubuntu24.04' ;;
    *) fail "the suite $1 is not known: bookworm, trixie or noble was expected" ;;
    esac
    sed -n "1s/^\(orchil ([^)]*\)).*/\1$suffix) $1; urgency=medium, binary-only=yes/p" packaging/debian/changelog
    printf '\n  * Built for %s.\n\n' "$1"
    sed -n '/^ -- /{p;q}' packaging/debian/changelog
    echo
    cat packaging/debian/changelog
}

# A suite whose mirror is not reached, or not trusted, is left out and named.
make_debian() {
    for suite in $suites; do
        if why=$(clean_root_cannot "$suite"); then
            echo "debian: $suite is left out: $why" | tee "$logs/debian-$suite.log"
            continue
        fi
        build_root "$suite"
        mkdir -p "$out/debian/$suite"
        rebuilt_for "$suite" >"$root$tree/debian/changelog"
        for machine in $machines; do
            if [ "$machine" = amd64 ]; then what="--build=binary"; else what="--build=any -a$machine -Pcross"; fi
            logged "debian-$suite-$machine" inside env -u SOURCE_DATE_EPOCH DEB_BUILD_OPTIONS="noautodbgsym nocheck parallel=2" \
                sh -euc "cd $tree && rm -rf obj-* && dpkg-buildpackage --no-sign --no-check-builddeps $what"
        done
        cp "$root$folder"/*.deb "$out/debian/$suite"
        cp packaging/debian/changelog "$root$tree/debian/changelog"
        for package in "$out/debian/$suite"/*.deb; do
            lintian --fail-on error --allow-root "$package" >>"$logs/lintian.log" 2>&1 || fail "lintian refuses $package ($logs/lintian.log)"
        done
    done
}

# In Debian 12, whose libc is the oldest of those that are supported.
make_portable() {
    build_root bookworm
    for machine in $machines; do
        preset=portable
        [ "$machine" = amd64 ] || preset=portable-$machine
        logged "portable-$machine" inside sh -euc "cd $tree && cmake --preset $preset -D BUILD_TESTING=OFF &&
            cmake --build --preset $preset -j2 && cpack --preset $preset"
        cp "$root$tree/build/$preset/orchil.spdx.json" "$out/orchil-$version-$machine.spdx.json"
        cp "$root$tree/build/packages"/*.tar.gz "$root$tree/build/packages"/*.rpm "$out"
    done
}

make_wheel() {
    logged wheel packaging/wheel "$out"
}

# packed NAME: the folder $scratch/NAME as a .tar.gz with nothing of this machine in it.
packed() {
    tar -C "$scratch" --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw --mtime="@$SOURCE_DATE_EPOCH" -cf - "$1" |
        gzip -9n >"$out/$1.tar.gz"
}

make_documents() {
    binary=$out/orchil-$version-linux-x86_64.tar.gz
    need "$binary"
    manual=orchil-$version-manual pages=orchil-$version-documents
    mkdir -p "$scratch/$manual/html"
    tar -xzf "$binary" -C "$scratch/$manual" --strip-components=3 "orchil-$version-linux-x86_64/share/man"
    logged documents-lint mandoc -T lint -W error "$scratch/$manual/man1"/*.1
    for page in "$scratch/$manual/man1"/*.1; do
        mandoc -T html -O 'man=%N.%S.html' "$page" >"$scratch/$manual/html/$(basename "$page").html"
    done
    mkdir "$scratch/archived"
    tar -xzf "$source" -C "$scratch/archived" --strip-components=1
    logged documents packaging/html "$scratch/archived" "$scratch/$pages"
    packed "$manual"
    packed "$pages"
}

# A minimal Debian 12 with the package and a driver for the processor, without what tells when and where it was made.
make_container() {
    set -- "$out/debian/bookworm"/orchil_*_amd64.deb
    need "$1"
    clean_root_make bookworm
    built_for=
    cp "$1" "$root/orchil.deb"
    logged container inside sh -euc 'apt-get -qq update
        apt-get -qq --yes --no-install-recommends install /orchil.deb ocl-icd-libopencl1 pocl-opencl-icd
        apt-get clean && rm /orchil.deb'
    mkdir "$root/data"
    inside dpkg-query -W >"$out/orchil-$version-container-amd64.packages.txt"
    clean_root_unmount
    (cd "$root" && rm -rf var/lib/apt/lists/* var/log/* var/cache/* tmp/* var/tmp/* etc/resolv.conf etc/machine-id etc/hostname \
        etc/apt/apt.conf.d/90machine etc/dpkg/dpkg.cfg.d/trial var/lib/dpkg/*-old var/lib/systemd etc/passwd- etc/shadow- etc/group- \
        etc/gshadow- && sed -i 's/^\([^:]*:[^:]*\):[0-9]*:/\1:1:/' etc/shadow)
    packaging/oci pack "$root" "$out/orchil-$version-container-amd64.tar" "orchil:$version"
}

# A recipe names the tarball by its hash, which is known now.
make_recipes() {
    need "$source"
    mkdir -p "$out/recipes"
    hash=$(sha256sum "$source" | cut -d ' ' -f 1)
    cp -r packaging/spack packaging/conda packaging/nix packaging/guix "$out/recipes"
    packaging/check-recipes --fill "$version" "$hash" "$out/recipes"
}

make_notes() {
    awk -v version="$version" '/^## / { inside = $2 == version } inside' CHANGELOG.md >"$out/NOTES.md"
    [ "$(wc -l <"$out/NOTES.md")" -gt 2 ] || fail "CHANGELOG.md has no section of $version"
}

make_sums() {
    (cd "$out" && find . -type f ! -name SHA256SUMS -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum >SHA256SUMS)
}
