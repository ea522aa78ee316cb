// SPDX-License-Identifier: Apache-2.0
/* The ensemble: a backend that combines others. Its one device has several members, each a session of another backend;
 * they share memory and launch at the same time. They are defined once in a process, before the backend is used. */
#pragma once

#include "backends/backend.h"

struct ensemble_part {
    const struct backend *backend;
    unsigned index;
    bool host; /* the member plays the host's threads; index is determined later */
};

struct ensemble_definition {
    size_t count; /* 0: not defined yet */
    struct ensemble_part parts[BACKEND_MAXIMUM_MEMBERS];
};

/* Reads the members of an ensemble: "cuda:0+cuda:1", "opencl:0+host", with backends and `host` in any case. `host`,
 * always the last member, is the first OpenCL device that is not a GPU or, if all others are simulated, the first
 * simulated device that is not a GPU. Loads no driver. USAGE, with what is wrong and what was expected, unless the
 * members are 2 to BACKEND_MAXIMUM_MEMBERS different devices by number. */
enum status ensemble_parse(const char *spec, struct ensemble_definition *definition, struct error *error);
/* Whether a text has the form of an ensemble's address: several words separated by '+', the first naming a device of a
 * backend or the host. The other members may still be wrong. False for NULL. */
bool ensemble_is_address(const char *spec);

/* Defines the ensemble of this process, with members as in ensemble_parse. */
enum status ensemble_define(const char *spec, struct error *error);
bool ensemble_is_defined(void);

extern const struct backend ensemble_backend;
