# SPDX-License-Identifier: Apache-2.0
# Without /sys PoCL finds no processor: the cause is named, and nothing that is installed is advised.
export CUDA_VISIBLE_DEVICES=
mkdir vendors
cp /etc/OpenCL/vendors/pocl*.icd vendors 2>/dev/null || { echo "PoCL is not installed" >&2; exit 77; }
export OCL_ICD_VENDORS="$PWD/vendors/" OPENCL_VENDOR_PATH="$PWD/vendors"
ulimit -c 0
namespace=-m
[ "$(id -u)" -eq 0 ] || namespace=-rm
unshare $namespace mount -t tmpfs none /sys 2>/dev/null || { echo "/sys cannot be hidden: there are no namespaces here" >&2; exit 77; }
# hidden ARGUMENT...: orchil where /sys is empty. Prints what names /sys, whether an installed driver is advised, the exit code.
hidden() {
    code=0
    unshare $namespace sh -c 'mount -t tmpfs none /sys && exec "$@"' - "$ORCHIL" "$@" >out 2>&1 || code=$?
    grep -o '/sys is not mounted' out | sort -u
    grep 'install.*pocl' out || :
    echo "$1: $code"
}
hidden doctor
hidden devices
hidden run opencl:SB+relaxed
