# SPDX-License-Identifier: Apache-2.0
# Language, warnings and sanitizers for all targets.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_compile_definitions(_GNU_SOURCE)
add_compile_options(
    -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 -Wcast-qual -Wundef)

if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    # Constants are enumerators here, of any number of bits: one in a formula is a number.
    add_compile_options(-Wno-enum-float-conversion)
endif()

# Messages and debug information name files relative to the repository, so that equal sources give equal binaries.
add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")

# Through a file, so that the command line is the same with and without: scripts/check and scripts/quickstart can use each
# other's objects. A file that failed because of a warning has no object, so it is compiled, and fails, again.
set(warnings_file "${PROJECT_BINARY_DIR}/warnings.args")
if(ORCHIL_WERROR)
    file(WRITE "${warnings_file}" "-Werror\n")
else()
    file(WRITE "${warnings_file}" "")
endif()
add_compile_options("@${warnings_file}")

if(ORCHIL_SANITIZE)
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
endif()

if(ORCHIL_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "ORCHIL_FUZZ needs clang; configure with the preset fuzz in a new build folder")
    endif()
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(ORCHIL_PORTABLE)
    add_link_options(-static-libgcc -Wl,--as-needed)
endif()
