# SPDX-License-Identifier: Apache-2.0
# Which tests scripts/check runs, which scripts/check --thorough, and which CI leaves out.

# Tests that take more than about three seconds, need a browser, or must run alone. Some quick tests of each kind stay in
# scripts/check: a compiler and a driver in unit.backends.device, killed processes and full disks in cli.faults, merging in
# cli.merge, statistics in unit.analysis and unit.gate, gates in cli.gate, pages in cli.report, generation in
# cli.generate, models in unit.models.
set(thorough_kinds nvrtc nvrtc_source opencl mutations drivers disturbed documents)
set(thorough_tests
    cli.agents.faults
    cli.agents.homes
    cli.agents.processors
    cli.agents.resume
    cli.assume.broken
    cli.atomics.crashes
    cli.atomics.faults-named
    cli.atomics.faults-seen
    cli.atomics.refused
    cli.devices.no-home
    cli.ends.agents
    cli.ends.beside
    cli.ends.edges
    cli.ends.resume
    cli.examples.htcondor
    cli.examples.jenkins
    cli.examples.lava
    cli.examples.like
    cli.examples.moved
    cli.examples.slurm
    cli.faults.busy
    cli.faults.resume
    cli.faults.vulkan-lost
    cli.faults.vulkan-refused
    cli.faults.vulkan-stuck
    cli.faults.worker-orders
    cli.gate.budget-spent
    cli.gate.ci
    cli.gate.confirm
    cli.gate.updates
    cli.gate.width
    cli.history.browser
    cli.history.steps
    cli.inspect.agents
    cli.kernels.opencl
    cli.merge.killed
    cli.merge.shards
    cli.report.browser
    cli.report.browser-compare
    cli.report.browser-three
    cli.reproduce.glsl
    cli.reproduce.lavapipe
    cli.reproduce.nvcc
    cli.reproduce.pocl
    cli.run-verb.forecast
    cli.run-verb.never-ends
    cli.run-verb.sibling
    cli.terminal.hostile
    cli.terminal.injection
    cli.terminal.widths
    cli.terminal.workflow-commands
    cli.tune.budget
    cli.tune.no-witness
    cli.tune.portable
    cli.tune.profile
    cli.verdicts.cut
    cli.verdicts.cut-opencl
    cli.vulkan.validated
    cli.vulkan.verbs
    cli.web.browser
    differential.ptx-async-thorough
    differential.thorough
    differential.vulkan
    differential.vulkan-thorough
    differential.weakened
    source.bench
    source.catalogue-verdicts
    unit.analysis.history.history_level
    unit.audit.large
    unit.backends.ensemble.processors
    unit.catalogue.catalogue
    unit.catalogue.containment
    unit.catalogue.pruning
    unit.cli.kill-loop.kill_loop
    unit.catalogue.cycles.generate
    unit.models.judge
    unit.results.faults
    unit.results.merge
    unit.gate.gate_level
    unit.gate.planted
    unit.kernel.mapping.mapping
    unit.kernel.skeleton_agents
    unit.runner.worker.execution
    unit.web.kernels.kernels
    web.tint
    python.notebooks)

# Tests that CI leaves out: tests/nightly/run has their times.
set(nightly_tests
    cli.kernels.opencl-kept
    cli.report.thousand
    cli.synthesise.uneven
    cli.terminal.hostile-all
    cli.terminal.injection-all
    differential.async-notices
    differential.explain-thorough
    differential.ptx-async-thorough
    differential.ptx-proxies-thorough
    differential.ptx-vectors-thorough
    differential.vulkan-thorough
    documents.commands-all
    drivers.planted
    slurm.fleet
    source.stable-found
    source.stable-thorough
    unit.catalogue.synthesis.minimal)

# Their results depend on how much the program does in a given time, so nothing else runs at the same time.
set(timed_tests
    cli.gate.budget-spent
    cli.gate.ci
    cli.reproduce.pocl
    cli.tune.budget
    cli.tune.no-witness
    cli.tune.portable
    cli.tune.profile
    cli.verdicts.cut
    drivers.planted
    drivers.two) # whose groups wait for each other

# Tests that scripts/check runs under the sanitizers, and only there: parsers, models, protocols and the store. Some of them
# compute for long without reaching a line of their own: these run without, where they take a third of the time, and with the
# sanitizers only at night.
set(sample_pattern "^(unit\\.(base|litmus|models|catalogue|results|runner\\.worker)\\.|fuzz\\.)")
set(plain_tests
    unit.catalogue.cycles.variant
    unit.catalogue.pruning
    unit.catalogue.selection
    unit.inspect.spirv
    unit.kernel.mapping.emitted
    unit.kernel.mapping.planted
    unit.models.rules
    unit.models.validation)

# Tests that scripts/check --thorough runs under the sanitizers in addition: the other quick unit tests, and those that
# tests/nightly/coverage has chosen because they reach most with least time. tests/nightly/run takes the rest.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS sanitized.txt)
file(STRINGS sanitized.txt sanitized_tests REGEX "^[a-z]")

# orchil_labels(TEST KIND RESULT): the labels of a test: its kind, and those that say which part of the checks runs it.
function(orchil_labels name kind result)
    set(labels ${kind})
    if(name IN_LIST nightly_tests)
        list(APPEND labels nightly)
    elseif(kind IN_LIST thorough_kinds OR name IN_LIST thorough_tests)
        list(APPEND labels thorough)
    elseif(name MATCHES "${sample_pattern}" AND NOT name IN_LIST plain_tests)
        list(APPEND labels sample)
    endif()
    if(name IN_LIST plain_tests)
        list(APPEND labels plain)
    elseif(name IN_LIST sanitized_tests OR labels STREQUAL unit)
        list(APPEND labels sanitized)
    endif()
    set(${result} "${labels}" PARENT_SCOPE)
endfunction()

# orchil_check_labels(): fails if a list above names a test that does not exist: scripts/check would run a renamed test again, or
# no longer under the sanitizers.
function(orchil_check_labels)
    foreach(name IN LISTS thorough_tests nightly_tests timed_tests plain_tests sanitized_tests)
        if(NOT TEST ${name})
            message(FATAL_ERROR "tests/labels.cmake: no test ${name}: was it renamed?")
        endif()
    endforeach()
endfunction()
