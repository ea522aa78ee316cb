# SPDX-License-Identifier: Apache-2.0
# Third-party libraries. orchil_library(NAME HEADER LIBRARY MODULE PACKAGE) defines orchil::NAME from a header and, unless
# LIBRARY is empty, a library. pkg-config's MODULE says where they are; without pkg-config CMake searches its usual folders. If
# one is missing, the message names its Debian package. The global property ORCHIL_LIBRARIES lists them for cmake/sbom.cmake:
# NAME|MODULE|VERSION|LINKED, where VERSION is NOASSERTION without pkg-config.

if(ORCHIL_PORTABLE)
    set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()

find_package(PkgConfig QUIET)

function(orchil_library name header library module package)
    pkg_check_modules(ORCHIL_${name}_MODULE QUIET ${module})
    find_path(ORCHIL_${name}_INCLUDE ${header}
        HINTS ${ORCHIL_${name}_MODULE_INCLUDEDIR} ${ORCHIL_${name}_MODULE_INCLUDE_DIRS})
    mark_as_advanced(ORCHIL_${name}_INCLUDE)
    if(NOT ORCHIL_${name}_INCLUDE)
        message(FATAL_ERROR "${header} was not found: install ${package} (scripts/install-packages does it)")
    endif()
    set(version "${ORCHIL_${name}_MODULE_VERSION}")
    if(NOT version)
        set(version NOASSERTION)
    endif()
    set_property(GLOBAL APPEND PROPERTY ORCHIL_LIBRARIES "${name}|${module}|${version}|${library}")
    add_library(orchil_external_${name} INTERFACE)
    add_library(orchil::${name} ALIAS orchil_external_${name})
    target_include_directories(orchil_external_${name} SYSTEM INTERFACE "${ORCHIL_${name}_INCLUDE}")
    if(library)
        find_library(ORCHIL_${name}_LIBRARY ${library}
            HINTS ${ORCHIL_${name}_MODULE_LIBDIR} ${ORCHIL_${name}_MODULE_LIBRARY_DIRS})
        mark_as_advanced(ORCHIL_${name}_LIBRARY)
        if(NOT ORCHIL_${name}_LIBRARY)
            message(FATAL_ERROR "the library ${library} was not found: install ${package} (scripts/install-packages does it)")
        endif()
        target_link_libraries(orchil_external_${name} INTERFACE "${ORCHIL_${name}_LIBRARY}" ${ARGN})
    endif()
endfunction()

orchil_library(jansson jansson.h jansson jansson libjansson-dev)
orchil_library(sqlite3 sqlite3.h sqlite3 sqlite3 libsqlite3-dev m)
orchil_library(md sha2.h md libmd libmd-dev)
orchil_library(ini ini.h inih inih libinih-dev)
orchil_library(opencl_headers CL/cl.h "" OpenCL-Headers opencl-headers)
orchil_library(vulkan_headers vulkan/vulkan_core.h "" VulkanHeaders libvulkan-dev)
find_package(Threads REQUIRED)
if(BUILD_TESTING)
    # A test program may need a shared library: Debian has no other form of cmocka.
    set(CMAKE_FIND_LIBRARY_SUFFIXES .so .a)
    orchil_library(cmocka cmocka.h cmocka cmocka libcmocka-dev)
endif()
