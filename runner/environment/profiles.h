// SPDX-License-Identifier: Apache-2.0
/* The built-in profiles (profiles/NAME.ini), embedded by the build. Private to this folder. */
#ifndef ORCHIL_RUNNER_PROFILES_H
#define ORCHIL_RUNNER_PROFILES_H

extern const char profile_gpu[];
extern const char profile_cpu[];

#endif
