// SPDX-License-Identifier: Apache-2.0
/* The built-in profiles (profiles/NAME.ini), embedded by the build. */
#ifndef ORCHIL_RUNNER_ENVIRONMENT_PROFILES_H
#define ORCHIL_RUNNER_ENVIRONMENT_PROFILES_H

#include "runner/environment/environment.h"

/* X(name). Each is a file, a row here, and a row in CMakeLists.txt. The first two are the base of others and name each
 * parameter that has no value of its own (ENVIRONMENT_LIST). */
#define PROFILE_LIST(X)                                                                                                \
    X(gpu)                                                                                                             \
    X(cpu)                                                                                                             \
    X(h100)                                                                                                            \
    X(hopper)                                                                                                          \
    X(hunt)                                                                                                            \
    X(oclgrind)                                                                                                        \
    X(pocl)                                                                                                            \
    X(portable)                                                                                                        \
    X(progress)

#define PROFILE_TEXT(name) extern const char profile_##name[];
PROFILE_LIST(PROFILE_TEXT)
#undef PROFILE_TEXT

#endif
