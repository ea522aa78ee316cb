// SPDX-License-Identifier: Apache-2.0
/* The built-in profiles (profiles/NAME.ini), embedded by the build. Private to this folder. */
#ifndef ORCHIL_RUNNER_PROFILES_H
#define ORCHIL_RUNNER_PROFILES_H

/* X(name). Each is a file, a row here, and a row in CMakeLists.txt. */
#define PROFILE_LIST(X)                                                                                                \
    X(gpu)                                                                                                             \
    X(cpu)                                                                                                             \
    X(h100)                                                                                                            \
    X(hunt)                                                                                                            \
    X(oclgrind)                                                                                                        \
    X(pocl)                                                                                                            \
    X(portable)                                                                                                        \
    X(progress)

#define PROFILE_TEXT(name) extern const char profile_##name[];
PROFILE_LIST(PROFILE_TEXT)
#undef PROFILE_TEXT

#endif
