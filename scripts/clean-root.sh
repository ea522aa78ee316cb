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
    for folder in proc dev sys; do
        ! mountpoint -q "$root/$folder" || umount --recursive --lazy "$root/$folder"
    done
}

# Where this machine gets Debian's packages; nothing if it is no Debian, and debootstrap takes its default.
clean_root_mirror() {
    # shellcheck source=/dev/null
    codename=$(. /etc/os-release && [ "$ID" = debian ] && echo "$VERSION_CODENAME") || return 0
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Release: $codename" | head -n 1
}

# clean_root_make SUITE: a minimal Debian, with apt's settings for transfers (a proxy) of this machine, replaces what was in $root.
clean_root_make() {
    clean_root_unmount
    rm -rf --one-file-system "$root"
    mirror=$(clean_root_mirror)
    quietly debootstrap --variant=minbase "$1" "$root" ${mirror:+"$mirror"}
    apt-config dump Acquire >"$root/etc/apt/apt.conf.d/90machine"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/trial" # the root is thrown away
    mount --rbind /proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys" # where PoCL finds the processor
}

# in_clean_root COMMAND...: with the environment of a new user.
in_clean_root() {
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb chroot "$root" "$@"
}
