# SPDX-License-Identifier: Apache-2.0
# The list of what orchil is made of (SBOM), in SPDX 2.3 JSON: orchil itself with its SHA-256, and each library that
# cmake/libraries.cmake found, with its version, its licence and how it is used. Included, this file defines the target `sbom`,
# which writes orchil.spdx.json in the folder of the build. Run with cmake -P, it writes that file.

# The licence of each library as an SPDX expression, and its home page.
set(sbom_jansson MIT https://github.com/akheron/jansson)
set(sbom_sqlite3 blessing https://sqlite.org)
set(sbom_md "BSD-3-Clause AND BSD-2-Clause AND ISC" https://www.hadrons.org/software/libmd)
set(sbom_ini BSD-3-Clause https://github.com/benhoyt/inih)
set(sbom_opencl_headers Apache-2.0 https://github.com/KhronosGroup/OpenCL-Headers)
set(sbom_vulkan_headers "Apache-2.0 OR MIT" https://github.com/KhronosGroup/Vulkan-Headers)
set(sbom_cmocka Apache-2.0 https://cmocka.org)

if(NOT CMAKE_SCRIPT_MODE_FILE)
    get_property(libraries GLOBAL PROPERTY ORCHIL_LIBRARIES)
    string(REPLACE ";" "," libraries "${libraries}")
    add_custom_target(sbom ALL
        COMMAND "${CMAKE_COMMAND}" -D "PROGRAM=$<TARGET_FILE:orchil>" -D "VERSION=${PROJECT_VERSION}"
                -D "LIBRARIES=${libraries}" -D "PORTABLE=${ORCHIL_PORTABLE}"
                -D "HEADER=${PROJECT_BINARY_DIR}/generated/version.h" -D "OUTPUT=${PROJECT_BINARY_DIR}/orchil.spdx.json"
                -P "${CMAKE_CURRENT_LIST_FILE}"
        BYPRODUCTS "${PROJECT_BINARY_DIR}/orchil.spdx.json" COMMENT "Listing what orchil is made of" VERBATIM)
    add_dependencies(sbom orchil)
    if(TARGET quick) # the tests of scripts/check, of which one reads the list
        add_dependencies(quick sbom)
    endif()
    install(FILES "${PROJECT_BINARY_DIR}/orchil.spdx.json" DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)
    return()
endif()

cmake_minimum_required(VERSION 3.25)
file(READ "${HEADER}" header)
string(REGEX MATCH "ORCHIL_COMMIT \"([^\"]*)\"" ignored "${header}")
set(commit "${CMAKE_MATCH_1}")
file(SHA256 "${PROGRAM}" hash)
string(TIMESTAMP now "%Y-%m-%dT%H:%M:%SZ" UTC) # of SOURCE_DATE_EPOCH, where it is set

set(packages "")
set(relations "")
# add_package(ID NAME VERSION LICENCE PAGE MORE): MORE are further members.
function(add_package id name version licence page more)
    string(APPEND packages ",
    {\"SPDXID\": \"SPDXRef-${id}\", \"name\": \"${name}\", \"versionInfo\": \"${version}\", \"downloadLocation\": \"${page}\",
     \"homepage\": \"${page}\", \"filesAnalyzed\": false, \"licenseConcluded\": \"${licence}\", \"licenseDeclared\": \"${licence}\",
     \"copyrightText\": \"NOASSERTION\"${more}}")
    set(packages "${packages}" PARENT_SCOPE)
endfunction()
function(add_relation from kind to)
    string(APPEND relations ",
    {\"spdxElementId\": \"${from}\", \"relationshipType\": \"${kind}\", \"relatedSpdxElement\": \"${to}\"}")
    set(relations "${relations}" PARENT_SCOPE)
endfunction()

add_package(orchil orchil "${VERSION}" Apache-2.0 NOASSERTION ",
     \"primaryPackagePurpose\": \"APPLICATION\", \"comment\": \"The checksum is that of the program before it is stripped.\", \"checksums\": [{\"algorithm\": \"SHA256\", \"checksumValue\": \"${hash}\"}]")
string(REPLACE "\"homepage\": \"NOASSERTION\", " "" packages "${packages}")
add_relation(SPDXRef-DOCUMENT DESCRIBES SPDXRef-orchil)
string(REPLACE "," ";" libraries "${LIBRARIES}")
foreach(library IN LISTS libraries)
    string(REPLACE "|" ";" library "${library}")
    list(GET library 0 name)
    list(GET library 1 module)
    list(GET library 2 version)
    list(GET library 3 linked)
    if(NOT DEFINED sbom_${name})
        message(FATAL_ERROR "cmake/sbom.cmake has no licence for the library ${name} of cmake/libraries.cmake: add a line for it")
    endif()
    list(GET sbom_${name} 0 licence)
    list(GET sbom_${name} 1 page)
    string(REPLACE "_" "-" id "${name}")
    add_package("${id}" "${module}" "${version}" "${licence}" "${page}" "")
    if(name STREQUAL "cmocka")
        add_relation(SPDXRef-${id} TEST_DEPENDENCY_OF SPDXRef-orchil)
    elseif(NOT linked)
        add_relation(SPDXRef-${id} BUILD_DEPENDENCY_OF SPDXRef-orchil)
    elseif(PORTABLE)
        add_relation(SPDXRef-orchil STATIC_LINK SPDXRef-${id})
    else()
        add_relation(SPDXRef-orchil DYNAMIC_LINK SPDXRef-${id})
    endif()
endforeach()
string(REGEX REPLACE "^,\n" "" packages "${packages}")
string(REGEX REPLACE "^,\n" "" relations "${relations}")
file(WRITE "${OUTPUT}" "{
  \"spdxVersion\": \"SPDX-2.3\", \"dataLicense\": \"CC0-1.0\", \"SPDXID\": \"SPDXRef-DOCUMENT\", \"name\": \"orchil-${VERSION}\",
  \"documentNamespace\": \"https://orchil.example/spdx/orchil-${VERSION}-${hash}\",
  \"comment\": \"of commit ${commit}\",
  \"creationInfo\": {\"created\": \"${now}\", \"creators\": [\"Organization: orchil maintainers\", \"Tool: cmake/sbom.cmake\"]},
  \"packages\": [
${packages}
  ],
  \"relationships\": [
${relations}
  ]
}
")
