# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` installs with the program and its manual, and the packages that CPack makes of the preset portable: a
# .rpm and a .tar.gz. packaging/debian makes the .deb. docs/internals/releasing.md says how all are made and tried.
include(GNUInstallDirs)

install(FILES README.md CHANGELOG.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES packaging/debian/copyright DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}")
# The tour of the textbook with its tables, by this program's models: only a program that runs here can tell. docs/ links to it.
find_program(ORCHIL_PYTHON python3)
mark_as_advanced(ORCHIL_PYTHON)
set(tour "${CMAKE_INSTALL_DOCDIR}/tests-litmus/textbook")
install(FILES tests-litmus/textbook/guide.md tests-litmus/textbook/guide.zh-CN.md tests-litmus/textbook/claims.txt
    tests-litmus/textbook/results.csv DESTINATION "${tour}")
if(ORCHIL_PYTHON AND (NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR))
    string(JOIN " " command ${CMAKE_CROSSCOMPILING_EMULATOR} "'$<TARGET_FILE:orchil>'")
    install(CODE "
        set(tour \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${tour}\")
        execute_process(COMMAND \"${ORCHIL_PYTHON}\" \"${PROJECT_SOURCE_DIR}/tests-litmus/textbook/make-textbook\"
            --orchil \"${command}\" --output \"\${tour}\" COMMAND_ERROR_IS_FATAL ANY)
        list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${CMAKE_INSTALL_PREFIX}/${tour}/tests.md\")")
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/examples")
    install(DIRECTORY examples DESTINATION "${CMAKE_INSTALL_DOCDIR}" USE_SOURCE_PERMISSIONS)
endif()
# The program has its own copies: these are to be read, and to be changed and passed to --model and --profile.
install(DIRECTORY models/ DESTINATION "${CMAKE_INSTALL_DATADIR}/orchil/models" FILES_MATCHING PATTERN "*.cat"
    PATTERN cat EXCLUDE PATTERN explain EXCLUDE PATTERN search EXCLUDE)
install(DIRECTORY runner/environment/profiles/ DESTINATION "${CMAKE_INSTALL_DATADIR}/orchil/profiles"
    FILES_MATCHING PATTERN "*.ini")
if(ORCHIL_PORTABLE) # the binary contains these libraries, whose licences ask for their notice
    install(FILES packaging/third-party.txt DESTINATION "${CMAKE_INSTALL_DOCDIR}")
endif()

set(ORCHIL_MAINTAINER "orchil maintainers <maintainers@orchil.example>" CACHE STRING
    "Name and address that packages give for their maintainer")

set(CPACK_PACKAGE_VENDOR "orchil maintainers")
set(CPACK_PACKAGE_CONTACT "${ORCHIL_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "litmus tests of the memory model of real GPUs")
set(CPACK_PACKAGE_DESCRIPTION
"orchil reads litmus tests, turns each into a stressed kernel, runs billions of
instances on a GPU or a CPU through OpenCL or CUDA, and keeps the histogram of
every batch in an SQLite database. Memory models in the cat language say which
outcomes are allowed, weak or forbidden.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_FILE_NAME "orchil-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/finish_package.cmake")

set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_ARCHITECTURE "${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_RPM_PACKAGE_LICENSE "Apache-2.0")
set(CPACK_RPM_PACKAGE_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
# CPack has no variable for recommendations. Nothing reads the links from build identifiers. The same source gives the same
# package: its times are SOURCE_DATE_EPOCH, and it does not name the machine that made it.
set(CPACK_RPM_SPEC_MORE_DEFINE "%define _build_id_links none
%define use_source_date_epoch_as_buildtime 1
%define clamp_mtime_to_source_date_epoch 1
%define _buildhost orchil
Recommends: libOpenCL.so.1()(64bit)
Recommends: pocl")
# Folders that other packages own.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION
    /usr/share/man /usr/share/man/man1 /usr/share/bash-completion /usr/share/bash-completion/completions
    /usr/share/fish /usr/share/fish/vendor_completions.d /usr/share/zsh /usr/share/zsh/site-functions)

include(CPack)
