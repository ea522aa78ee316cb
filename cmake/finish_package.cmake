# SPDX-License-Identifier: Apache-2.0
# Run by CPack between installing and packing: compresses the manual, and lays the files out as Debian's policy asks.

if(CPACK_GENERATOR STREQUAL "TGZ")
    return()
endif()

set(usr "${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}")

# compress(FILE...): replaces each by FILE.gz, without the file's name and time in it.
function(compress)
    execute_process(COMMAND gzip -9nf ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(GLOB pages "${usr}/share/man/man1/*.1")
if(NOT pages)
    message(FATAL_ERROR "no manual in ${usr}/share/man/man1: nothing could print it, an emulator is missing")
endif()
compress(${pages})

if(CPACK_GENERATOR STREQUAL "DEB")
    set(doc "${usr}/share/doc/orchil")
    file(READ "${CMAKE_CURRENT_LIST_DIR}/../packaging/changelog" changelog)
    set(version "${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
    string(FIND "${changelog}" "orchil (${version})" at)
    if(NOT at EQUAL 0)
        message(FATAL_ERROR "packaging/changelog does not begin with orchil (${version})")
    endif()
    file(WRITE "${doc}/changelog.Debian" "${changelog}")
    file(RENAME "${doc}/CHANGELOG.md" "${doc}/changelog")
    compress("${doc}/changelog" "${doc}/changelog.Debian")
    file(REMOVE "${doc}/LICENSE") # "copyright" names the copy that every Debian has
    file(RENAME "${usr}/share/zsh/site-functions" "${usr}/share/zsh/vendor-completions")
endif()
