# SPDX-License-Identifier: Apache-2.0
# Which tests are for scripts/check, and which are left to scripts/check --thorough.

# What takes more than about five seconds or needs a browser. Of each kind of test something quick stays in scripts/check:
# a compiler and a driver in unit.backends.device, killed processes and full disks in cli.faults, merging in cli.merge,
# statistics in unit.analysis, gates in cli.gate, pages in cli.report, generation in cli.generate, models in unit.models.
set(thorough_kinds nvrtc nvrtc_source opencl mutations drivers disturbed)
set(thorough_tests
    unit.analysis.calibrate
    unit.analysis.history_level
    unit.analysis.planted
    unit.litmus.generate
    unit.models.judge
    unit.results.faults
    unit.results.merge
    unit.runner.execution.execution
    unit.runner.mapping.mapping
    unit.cli.kill-loop.kill_loop
    cli.faults.resume
    cli.gate.budget-devices
    cli.gate.budget-overrun
    cli.faults.busy
    cli.gate.ci
    cli.history.browser
    cli.history.steps
    cli.kernels.opencl
    cli.kernels.opencl-kept
    cli.report.browser
    cli.report.browser-compare
    cli.report.browser-three
    cli.report.thousand
    cli.reproduce.nvcc
    cli.reproduce.pocl
    cli.terminal.hostile
    cli.terminal.widths
    cli.verdicts.cut
    source.catalogue-verdicts)

# What comes out of these depends on how much is done in a time that the program is given: nothing else runs meanwhile.
set(timed_tests
    cli.gate.budget
    cli.gate.budget-devices
    cli.gate.budget-overrun
    cli.gate.budget-refused
    cli.gate.budget-spent
    cli.gate.budget-unsupported
    cli.gate.ci
    cli.tune.budget
    cli.tune.no-witness
    cli.tune.portable
    cli.tune.profile
    cli.verdicts.cut
    drivers.planted
    drivers.two) # whose groups wait for each other

# What scripts/check runs under the sanitizers: parsers, models, protocols and the store.
set(sample_pattern "^(unit\\.(base|litmus|models|catalogue|results|runner\\.worker)\\.|fuzz\\.)")

# orchil_labels(TEST KIND RESULT): the labels of a test: its kind, and one of the others at most.
function(orchil_labels name kind result)
    set(labels ${kind})
    if(kind IN_LIST thorough_kinds OR name IN_LIST thorough_tests)
        list(APPEND labels thorough)
    elseif(name MATCHES "${sample_pattern}")
        list(APPEND labels sample)
    endif()
    set(${result} "${labels}" PARENT_SCOPE)
endfunction()

# orchil_check_labels(): stops where a list above names no test: one that was renamed would be run by scripts/check again.
function(orchil_check_labels)
    foreach(name IN LISTS thorough_tests timed_tests)
        if(NOT TEST ${name})
            message(FATAL_ERROR "tests/labels.cmake names ${name}, which is no test: was it renamed?")
        endif()
    endforeach()
endfunction()
