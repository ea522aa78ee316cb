# SPDX-License-Identifier: Apache-2.0
# Included, this file makes the library orchil_version, whose only content is the header "version.h" with
# ORCHIL_VERSION ("0.1.0") and ORCHIL_COMMIT ("0123456789ab", followed by '+' if tracked files were changed). Outside a git
# checkout the commit is that of cmake/commit.txt, into which `git archive` writes it, or "". Run with cmake -P, this file
# writes that header. It runs in every build, but touches the header only if its text changes, so a commit recompiles only
# the files that include it.

if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(header "${PROJECT_BINARY_DIR}/generated/version.h")
    add_custom_target(orchil_version_header
        COMMAND "${CMAKE_COMMAND}" -D "HEADER=${header}" -D "SOURCE=${PROJECT_SOURCE_DIR}"
                -D "VERSION=${PROJECT_VERSION}" -P "${CMAKE_CURRENT_LIST_FILE}"
        BYPRODUCTS "${header}" COMMENT "Looking up the version" VERBATIM)
    add_library(orchil_version INTERFACE)
    target_include_directories(orchil_version INTERFACE "${PROJECT_BINARY_DIR}/generated")
    add_dependencies(orchil_version orchil_version_header)
    return()
endif()

cmake_minimum_required(VERSION 3.25)
set(commit "")
if(EXISTS "${SOURCE}/.git")
    execute_process(COMMAND git -C "${SOURCE}" rev-parse --short=12 HEAD
        OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE result ERROR_QUIET)
    if(NOT result EQUAL 0)
        set(commit "")
    else()
        execute_process(COMMAND git -C "${SOURCE}" diff --quiet HEAD -- RESULT_VARIABLE changed ERROR_QUIET)
        if(changed EQUAL 1)
            string(APPEND commit "+")
        endif()
    endif()
else()
    file(STRINGS "${SOURCE}/cmake/commit.txt" archived REGEX "^[0-9a-f]+$")
    string(SUBSTRING "${archived}" 0 12 commit)
endif()

file(CONFIGURE OUTPUT "${HEADER}" CONTENT "// SPDX-License-Identifier: Apache-2.0
#ifndef ORCHIL_VERSION_H
#define ORCHIL_VERSION_H
#define ORCHIL_VERSION \"${VERSION}\"
#define ORCHIL_COMMIT \"${commit}\"
#endif
")
