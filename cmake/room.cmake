# SPDX-License-Identifier: Apache-2.0
# orchil_room(NAME [FOLDERS FOLDER...] [USES LIBRARY...]) makes the static library orchil_NAME of all .c files of the
# calling folder and of the named folders below it, main.c excepted. Files that appear are picked up by the next build.

function(orchil_room name)
    cmake_parse_arguments(PARSE_ARGV 1 room "" "" "FOLDERS;USES")
    set(patterns *.c)
    foreach(folder IN LISTS room_FOLDERS)
        list(APPEND patterns ${folder}/*.c)
    endforeach()
    file(GLOB sources CONFIGURE_DEPENDS ${patterns})
    list(FILTER sources EXCLUDE REGEX "/main\\.c$")
    if(NOT sources)
        message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR} holds no .c file")
    endif()
    add_library(orchil_${name} STATIC ${sources})
    target_include_directories(orchil_${name} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_link_libraries(orchil_${name} PUBLIC ${room_USES})
endfunction()
