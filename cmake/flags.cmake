# SPDX-License-Identifier: Apache-2.0
# Language, warnings and sanitizers of everything that is compiled here.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_compile_definitions(_GNU_SOURCE)
add_compile_options(
    -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 -Wcast-qual -Wundef)

# Messages and debug information name files from the repository's root, so that equal sources give equal binaries.
add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")

if(ORCHIL_WERROR)
    add_compile_options(-Werror)
endif()

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
