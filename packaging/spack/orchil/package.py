# SPDX-License-Identifier: Apache-2.0
# How Spack builds orchil. The folder goes into packages/ of a repository of Spack, and that of inih, which Spack lacks, beside it.
from spack.package import *


class Orchil(CMakePackage):
    """Litmus tests of the memory model of real GPUs: compiles them to stressed kernels, runs these on GPUs and CPUs, and judges
    each outcome by a memory model."""

    homepage = "https://orchil.example"
    url = "https://orchil.example/releases/orchil-0.1.0.tar.gz"

    license("Apache-2.0")

    version("0.1.0", sha256="@SHA256@")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("jansson")
    depends_on("sqlite")
    depends_on("libmd")
    depends_on("inih")
    depends_on("opencl-c-headers", type="build")
    depends_on("vulkan-headers", type="build")

    generator("ninja")

    def cmake_args(self):
        return [self.define("BUILD_TESTING", False)]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_installed(self):
        Executable(self.prefix.bin.orchil)("check", "opencl:SB+relaxed")
