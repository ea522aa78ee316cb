# SPDX-License-Identifier: Apache-2.0
# How Spack builds inih, a library that orchil needs.
from spack.package import *


class Inih(MesonPackage):
    """Reads .ini files, in one C file."""

    homepage = "https://github.com/benhoyt/inih"
    git = "https://github.com/benhoyt/inih.git"

    license("BSD-3-Clause")

    version("62", tag="r62", commit="26254ee9de7681f8825433415443e7116ff24b98")

    depends_on("c", type="build")

    def meson_args(self):
        return ["-Ddistro_install=true", "-Dwith_INIReader=false"]
