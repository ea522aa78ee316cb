# SPDX-License-Identifier: Apache-2.0
# Run by CPack between installing and packing: compresses the manual for the .rpm, without the files' names and times.

if(CPACK_GENERATOR STREQUAL "TGZ")
    return()
endif()

set(usr "${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}")

file(GLOB pages "${usr}/share/man/man1/*.1")
if(NOT pages)
    message(FATAL_ERROR "no manual in ${usr}/share/man/man1: nothing could print it, an emulator is missing")
endif()
execute_process(COMMAND gzip -9nf ${pages} COMMAND_ERROR_IS_FATAL ANY)
