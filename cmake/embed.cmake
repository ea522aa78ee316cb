# SPDX-License-Identifier: Apache-2.0
# Embeds text files in the program.
#
# Included, this file defines three functions:
#   orchil_embed_lists(FILE)                makes the header FOLDER/NAME_lists.h of FOLDER/NAME.txt, a file of lists: a section
#                                           [LIST] becomes `#define LIST(X) X(row) X(row) ...`. Rows go on in lines that begin
#                                           with blanks; a comment is a line that begins with #, or follows two blanks and #.
#   orchil_embed_text(TARGET SYMBOL FILE)   adds `const char SYMBOL[]`, the text of FILE and a NUL
#   orchil_embed_catalogue(TARGET FOLDER MADE)
#                                           adds the table that catalogue/catalogue_files.h declares: all *.litmus and @*
#                                           files below FOLDER, those below MADE whose paths begin the lines of MADE.txt,
#                                           and @field, an index of the tests that field/bugs.txt names
# Run with cmake -P, it writes that C file. Changed and new files are embedded by the next build.

function(orchil_embed_lists file)
    get_filename_component(input "${file}" ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${input}")
    cmake_path(RELATIVE_PATH input BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE header)
    string(REGEX REPLACE "\\.txt$" "_lists.h" header "${header}")
    file(READ "${input}" text)
    string(REGEX REPLACE "\n#[^\n]*" "" text "\n${text}")
    string(REGEX REPLACE " *  # [^\n]*" "" text "${text}")
    string(REGEX REPLACE "\n+" "\n" text "${text}")
    string(REGEX REPLACE "\n +" " " text "${text}")
    string(REGEX REPLACE "\n([^[\n][^\n]*)" " \\\\\n    X(\\1)" text "${text}")
    string(REGEX REPLACE "\n\\[([A-Z_]+)\\]" "\n#define \\1(X)" text "${text}")
    set(output "${PROJECT_BINARY_DIR}/generated/${header}")
    file(WRITE "${output}.new" "// SPDX-License-Identifier: Apache-2.0\n#pragma once\n${text}")
    file(COPY_FILE "${output}.new" "${output}" ONLY_IF_DIFFERENT) # so that only what changed is compiled again
endfunction()

function(orchil_embed_text target symbol file)
    get_filename_component(input "${file}" ABSOLUTE)
    set(output "${PROJECT_BINARY_DIR}/generated/${symbol}.c")
    add_custom_command(OUTPUT "${output}"
        COMMAND "${CMAKE_COMMAND}" -D "INPUT=${input}" -D "SYMBOL=${symbol}" -D "OUTPUT=${output}"
                -P "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
        DEPENDS "${input}" "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
        COMMENT "Embedding ${file} as ${symbol}" VERBATIM)
    target_sources(${target} PRIVATE "${output}")
endfunction()

function(orchil_embed_catalogue target folder made)
    get_filename_component(input "${folder}" ABSOLUTE)
    set(output "${PROJECT_BINARY_DIR}/generated/catalogue_files.c")
    file(GLOB_RECURSE files CONFIGURE_DEPENDS "${input}/*.litmus" "${input}/@*")
    # Removing a file makes no dependency newer; the list is newer then, because its text changes.
    set(list "${PROJECT_BINARY_DIR}/generated/catalogue_files.txt")
    file(GENERATE OUTPUT "${list}" CONTENT "${files}")
    add_custom_command(OUTPUT "${output}"
        COMMAND "${CMAKE_COMMAND}" -D "CATALOGUE=${input}" -D "MADE=${made}" -D "OUTPUT=${output}"
                -P "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
        DEPENDS ${files} "${input}/field/bugs.txt" "${list}" "${made}.txt" "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
        COMMENT "Embedding the catalogue of litmus tests" VERBATIM)
    target_sources(${target} PRIVATE "${output}")
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
    return()
endif()

cmake_minimum_required(VERSION 3.25)

# The text of a file as C string literals, one per line.
function(read_as_literals path result)
    file(READ "${path}" text)
    file(SIZE "${path}" size)
    string(LENGTH "${text}" length)
    if(NOT length EQUAL size)
        message(FATAL_ERROR "${path}: expected text without NUL bytes and carriage returns")
    endif()
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "??" "?\\?" text "${text}") # no trigraphs
    string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
    set(${result} "    \"${text}\"" PARENT_SCOPE)
endfunction()

# The index @field as a file: the tests that the lines "test: ..." of field/bugs.txt name.
function(write_field_index bugs output)
    file(STRINGS "${bugs}" tests REGEX "^test: ")
    list(TRANSFORM tests REPLACE "^test: " "")
    string(REPLACE " " ";" tests "${tests}")
    list(REMOVE_DUPLICATES tests)
    list(JOIN tests "\n" tests)
    file(WRITE "${output}" "# The tests of bugs that broke programs: orchil list --field says which.\n"
        "budget = 10m\nconfidence = 0.95\n\n${tests}\n")
endfunction()

# Written in pieces: appending to one long string would copy it for every file.
if(CATALOGUE)
    file(WRITE "${OUTPUT}" "// SPDX-License-Identifier: Apache-2.0\n#include \"catalogue/catalogue_files.h\"\n\n")
    file(GLOB_RECURSE paths RELATIVE "${CATALOGUE}" "${CATALOGUE}/*.litmus" "${CATALOGUE}/@*")
    file(STRINGS "${MADE}.txt" made)
    list(TRANSFORM made REPLACE " .*" "")
    foreach(path IN LISTS paths)
        if(path IN_LIST made)
            message(FATAL_ERROR "${CATALOGUE}/${path}: a line of @cycles generates a test with the same path: remove one of them")
        endif()
    endforeach()
    cmake_path(GET OUTPUT PARENT_PATH generated)
    write_field_index("${CATALOGUE}/field/bugs.txt" "${generated}/@field")
    list(APPEND paths ${made} "@field")
    list(REMOVE_DUPLICATES paths)
    list(SORT paths)
    set(rows "")
    set(number 0)
    foreach(path IN LISTS paths)
        set(folder "${CATALOGUE}")
        if(path IN_LIST made)
            set(folder "${MADE}")
        elseif(path STREQUAL "@field")
            set(folder "${generated}")
        endif()
        read_as_literals("${folder}/${path}" literals)
        file(APPEND "${OUTPUT}" "static const char text_${number}[] =\n${literals};\n")
        string(APPEND rows "    {\"${path}\", text_${number}, sizeof text_${number} - 1},\n")
        math(EXPR number "${number} + 1")
    endforeach()
    file(APPEND "${OUTPUT}" "\nconst struct catalogue_file catalogue_files[] = {\n${rows}    {0},\n};\n"
        "const size_t catalogue_file_count = ${number};\n")
else()
    read_as_literals("${INPUT}" literals)
    file(WRITE "${OUTPUT}" "// SPDX-License-Identifier: Apache-2.0\nextern const char ${SYMBOL}[];\n"
        "const char ${SYMBOL}[] =\n${literals};\n")
endif()
