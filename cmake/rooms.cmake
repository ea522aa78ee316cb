# SPDX-License-Identifier: Apache-2.0
# The rooms, from the bottom up, and for each the rooms that it may use. CMake links by this list; scripts/check-source refuses
# an include that it does not allow, and a table in ARCHITECTURE.md that differs from it.

set(rooms base litmus models catalogue backends results analysis runner cli)
set(base_uses)
set(litmus_uses base)
set(models_uses litmus base)
set(catalogue_uses models litmus base)
set(backends_uses base)
set(results_uses base)
set(analysis_uses results models litmus base)
set(runner_uses catalogue models results backends litmus base)
set(cli_uses runner analysis catalogue models results backends litmus base)

# The headers of a room that other rooms may include, if there are more than ROOM/ROOM.h; * matches any file name.
set(base_doors base/*.h base/terminal/*.h base/escape/*.h)
set(litmus_doors litmus/litmus.h litmus/language/mbarrier.h litmus/language/value.h litmus/templates/template.h litmus/cycles/cycle.h
    litmus/cycles/generate.h litmus/cycles/variant.h)
set(models_doors models/models.h models/explain/explain.h models/explain/drawing.h models/explain/repair.h models/ruling.h
    models/explain/words.h)
set(catalogue_doors catalogue/catalogue.h catalogue/nearest.h catalogue/selection.h catalogue/judge_variant.h)
set(backends_doors backends/backend.h backends/ensemble/ensemble.h)
set(runner_doors runner/again/judge_again.h runner/environment/environment.h runner/inspect/*.h runner/kernel/kernel.h runner/kernel/target.h runner/run/*.h
    runner/minimise/minimise.h runner/reproduce/*.h runner/supervise/*.h runner/tune/*.h
    runner/worker/worker.h)

# orchil_room(NAME [LIBRARY...]) defines the static library orchil_NAME from all .c files below the calling folder except
# main.c, linked to the rooms that it uses and to the named libraries. New files are found by the next build.
function(orchil_room name)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.c)
    list(FILTER sources EXCLUDE REGEX "/(main|benchmark)\\.c$")
    if(NOT sources)
        message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR} has no .c files")
    endif()
    add_library(orchil_${name} STATIC ${sources})
    target_include_directories(orchil_${name} PUBLIC "${PROJECT_SOURCE_DIR}")
    foreach(used IN LISTS ${name}_uses)
        target_link_libraries(orchil_${name} PUBLIC orchil_${used})
    endforeach()
    target_link_libraries(orchil_${name} PUBLIC ${ARGN})
endfunction()
