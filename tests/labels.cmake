# SPDX-License-Identifier: Apache-2.0
# Which tests are for scripts/check, and which are left to scripts/check --thorough.

# What takes more than about five seconds without the sanitizers, or another program of size.
set(thorough_kinds nvrtc opencl mutations drivers)
set(thorough_tests)

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
