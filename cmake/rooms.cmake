# SPDX-License-Identifier: Apache-2.0
# The rooms: folders, at any depth, that share nothing but their doors. From the bottom up; a room uses only rooms above it in
# this list, so no circle is possible. CMake links by it; scripts/check-source refuses an include that it does not allow, a door
# that nobody uses, and a table in ARCHITECTURE.md that differs from it.
#
#   ROOM_uses       the rooms that ROOM may use
#   ROOM_doors      the headers of ROOM that other rooms may include; the others are private to it
#   ROOM_libraries  what else it links
#
# A group is a folder whose rooms are one room to all others, which may use the whole group or some of its rooms, and
# include only GROUP_doors. ROOM_doors of a room in it are then for the rooms of the group.

set(rooms
    base litmus listing models audit catalogue backends results kernel verdicts inspect
    analysis/statistics analysis/sides analysis/words analysis/compare analysis/history analysis/page
    runner/environment runner/protocol runner/worker runner/supervise runner/run hunt gate web
    cli)
set(groups analysis runner)

set(base_uses)
set(base_doors
    base/base.h base/circumstances.h base/document/document.h base/escape/escape.h base/field.h
    base/hash_index.h base/ini.h base/json.h base/process.h base/random.h base/record.h
    base/temporary_folder.h base/terminal/character.h base/terminal/resemblance.h base/terminal/table.h base/tool.h)
set(base_libraries orchil_version orchil::md orchil::jansson orchil::ini m)

set(litmus_uses base)
set(litmus_doors
    litmus/dialects.h litmus/language/build.h litmus/language/collective.h litmus/language/order.h litmus/language/ptx_instructions.h
    litmus/language/user_atomics.h litmus/language/value.h litmus/language/walk.h litmus/language/vulkan_instructions.h litmus/language/words.h
    litmus/litmus.h litmus/parse/tokens.h)
set(litmus_libraries orchil::jansson)

set(listing_uses litmus base)
set(listing_doors listing/listing.h listing/read_ptx.h)

set(models_uses litmus base)
set(models_doors
    models/explain/explain.h models/explain/repair.h models/models.h models/races.h models/ruling.h
    models/termination/termination.h)

set(audit_uses models listing litmus base)
set(audit_doors audit/audit.h)

set(catalogue_uses models litmus base)
set(catalogue_doors
    catalogue/catalogue.h catalogue/catalogue_files.h catalogue/judge_variant.h catalogue/cycles/generate.h
    catalogue/cycles/variant.h catalogue/random/random_program.h catalogue/selection.h catalogue/synthesis/synthesis.h)

set(backends_uses base)
set(backends_doors backends/backend.h backends/ensemble/ensemble.h backends/webgpu/recorded.h backends/webgpu/wgsl.h)
set(backends_libraries orchil::opencl_headers orchil::vulkan_headers orchil::jansson Threads::Threads m ${CMAKE_DL_LIBS})

set(results_uses base)
set(results_doors results/results.h)
set(results_libraries orchil::sqlite3)

set(kernel_uses backends models litmus base)
set(kernel_doors
    kernel/body.h kernel/frozen_kernels.h kernel/kernel.h kernel/kernel_cache.h kernel/lower.h kernel/map.h kernel/target.h
    kernel/typical_device.h)
set(kernel_libraries orchil_version orchil::jansson)

set(verdicts_uses kernel results backends models litmus base)
set(verdicts_doors verdicts/tally.h verdicts/verdicts.h)
set(verdicts_libraries orchil::jansson)

set(inspect_uses verdicts kernel catalogue listing litmus base)
set(inspect_doors
    inspect/amdgcn/disassemble_amdgcn.h inspect/compile/columns.h inspect/compile/inspect_many.h inspect/inspect.h inspect/rebuild/rebuild_test.h
    inspect/sass/disassemble_sass.h)
set(inspect_libraries Threads::Threads m)

set(analysis_doors
    analysis/compare/compare.h analysis/history/history.h analysis/page/page.h analysis/page/plot.h
    analysis/sides/side.h
    analysis/statistics/statistics.h analysis/words/words.h)

set(analysis/statistics_uses base)
set(analysis/statistics_doors
    analysis/statistics/runs.h analysis/statistics/statistics.h)
set(analysis/statistics_libraries m)

set(analysis/sides_uses analysis/statistics results models litmus base)
set(analysis/sides_doors analysis/sides/side.h analysis/sides/side_job.h)
set(analysis/sides_libraries orchil::jansson m)

set(analysis/words_uses analysis/sides analysis/statistics base)
set(analysis/words_doors analysis/words/words.h)
set(analysis/words_libraries m)

set(analysis/compare_uses analysis/words analysis/sides analysis/statistics base)
set(analysis/compare_doors analysis/compare/compare.h)
set(analysis/compare_libraries orchil::jansson m)

set(analysis/history_uses analysis/compare analysis/words analysis/sides analysis/statistics base)
set(analysis/history_doors analysis/history/history.h)
set(analysis/history_libraries orchil::jansson m)

set(analysis/page_uses analysis/history analysis/compare analysis/words analysis/sides analysis/statistics models litmus base)
set(analysis/page_doors)
set(analysis/page_libraries orchil::jansson m)

set(runner_doors
    runner/environment/environment.h runner/protocol/device.h runner/run/assumptions.h runner/run/builders.h
    runner/run/job_record.h
    runner/run/plan_run.h runner/run/plan_store.h runner/run/provenance.h runner/run/rejudge.h runner/run/report.h
    runner/run/resume_lock.h runner/run/run_jobs.h runner/run/siblings.h runner/supervise/devices.h
    runner/supervise/stop_signals.h runner/supervise/supervisor.h runner/worker/worker.h)

set(runner/environment_uses kernel backends base)
set(runner/environment_doors runner/environment/environment.h)
set(runner/environment_libraries orchil::jansson m)

set(runner/protocol_uses runner/environment kernel backends litmus base)
set(runner/protocol_doors runner/protocol/device.h runner/protocol/protocol.h)
set(runner/protocol_libraries orchil::jansson)

set(runner/worker_uses runner/protocol inspect kernel backends litmus base)
set(runner/worker_doors)
set(runner/worker_libraries orchil::jansson m)

set(runner/supervise_uses runner/protocol runner/environment kernel backends litmus base)
set(runner/supervise_doors
    runner/supervise/child.h runner/supervise/claims.h runner/supervise/devices.h runner/supervise/supervisor.h)
set(runner/supervise_libraries orchil::jansson)

set(runner/run_uses
    runner/supervise runner/protocol inspect verdicts runner/environment kernel analysis/statistics
    results backends catalogue models litmus base)
set(runner/run_doors)
set(runner/run_libraries orchil_version orchil::jansson Threads::Threads m)

set(hunt_uses runner analysis verdicts kernel results models litmus base)
set(hunt_doors
    hunt/minimise/minimise.h hunt/reproduce/recall.h hunt/tune/tune.h)
set(hunt_libraries orchil_version orchil::jansson m)

set(gate_uses runner analysis results backends catalogue models litmus base)
set(gate_doors
    gate/baselines.h gate/decide/gate.h
    gate/gate_passes.h gate/gate_suite.h gate/health.h gate/last_failed.h)
set(gate_libraries orchil::jansson m)

set(web_uses runner verdicts kernel backends catalogue base)
set(web_doors web/import.h web/web.h)
set(web_libraries orchil_version orchil::jansson)

set(cli_uses web gate hunt runner analysis inspect results catalogue audit models litmus base)
set(cli_doors)
set(cli_libraries orchil_version orchil::jansson m)

# orchil_room_target(ROOM RESULT): the name of a room's static library: orchil_kernel.
function(orchil_room_target room result)
    string(REPLACE "/" "_" name "${room}")
    set(${result} "orchil_${name}" PARENT_SCOPE)
endfunction()

# orchil_room(ROOM): defines its library from all .c files below the folder, but those of rooms in it and main.c. New files are
# found by the next build. A room that embeds texts calls it in a CMakeLists.txt of its own; CMakeLists.txt at the root calls it
# for the others.
function(orchil_room room)
    orchil_room_target(${room} target)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${room}/*.c")
    list(FILTER sources EXCLUDE REGEX "/main\\.c$")
    if(NOT sources)
        message(FATAL_ERROR "${room} has no .c files")
    endif()
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/generated")
    foreach(used IN LISTS ${room}_uses)
        set(used_rooms ${rooms})
        list(FILTER used_rooms INCLUDE REGEX "^${used}(/|$)") # of a group, each
        foreach(used_room IN LISTS used_rooms)
            orchil_room_target(${used_room} used_target)
            target_link_libraries(${target} PUBLIC ${used_target})
        endforeach()
    endforeach()
    target_link_libraries(${target} PUBLIC ${${room}_libraries})
endfunction()
