// SPDX-License-Identifier: Apache-2.0
/*
 * The devices of this machine. Each backend is asked in a process of its own (`orchil worker --list BACKEND`), because
 * a broken driver may crash or hang the process that loads it, and because the supervisor must never load one.
 */
#ifndef ORCHIL_RUNNER_SUPERVISE_DEVICES_H
#define ORCHIL_RUNNER_SUPERVISE_DEVICES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "backends/backend.h"
#include "base/status.h"
#include "runner/supervise/device_address.h"
#include "runner/supervise/driver_folder.h"

/* What became of asking one backend. */
struct device_finding {
    const struct backend *backend;
    enum status status;             /* NO_DEVICE, DEVICE_FAILED (crashed or hung), OK */
    char text[1024];                /* why it has no devices; empty if status is OK */
    struct device_address ensemble; /* that was asked for; else empty */
};

/* Questions that a list can hold the findings of: one for each backend, and one for each ensemble. */
enum { DEVICES_MAXIMUM_FINDINGS = 16 };

/* The name of the backend whose devices are ensembles. */
#define DEVICES_ENSEMBLE "ensemble"

struct device_list {
    /* CUDA's first, then OpenCL's, then simulated ones, then ensembles, whose members the list owns, too */
    struct backend_device *devices;
    size_t count, room;
    struct device_finding findings[DEVICES_MAXIMUM_FINDINGS];
    size_t finding_count;
    struct driver_folder folder; /* of the workers' drivers, where they lack one */
};

/* Asks every backend, or only the one named. Having none is not an error here: see devices_select. Workers may use
 * these devices until the list is released: it owns the folder of drivers that have no other. */
enum status devices_find(const char *backend_name, struct device_list *list, struct error *error);
void devices_release(struct device_list *list);

/* Asks for the devices that a SPEC of devices_select may mean: one backend's, if it names no other, and each ensemble
 * that it names. USAGE where the address of an ensemble is wrong. An ensemble that cannot be made is not an error
 * here. */
enum status devices_find_for(const char *spec, struct device_list *list, struct error *error);

/*
 * The devices that SPEC means: "cuda:0", "opencl:1"; "cuda", "opencl", "simulated" (that backend's first GPU, else its
 * first device); "all", "cuda:all" (of that backend); "cuda:0+cuda:1", "cuda:0+host" (an ensemble of devices that share
 * memory); else a substring of a device's name (case ignored; several matches are an error that lists them). Several
 * SPECs with commas between them, each of one device, mean these devices, unless a device's name has all of it. NULL:
 * the first GPU, else the first device; a simulated device only if asked for by name or if ORCHIL_SIMULATED is set.
 * NO_DEVICE, with what each backend said, where there is none. *chosen is an array of pointers into list, without
 * doubles, freed by the caller with free().
 */
enum status devices_select(const struct device_list *list, const char *spec, const struct backend_device ***chosen,
                           size_t *count, struct error *error);

/* Whether SPEC means a kind of devices, not each of them ("all", "cuda:all"): equal ones then share their jobs. */
bool devices_shared(const char *spec);

/* The backend that SPEC names ("cuda", "cuda:0", "cuda:0,cuda:1"), to be given to devices_find; NULL for anything else,
 * NULL too. */
const char *devices_backend(const char *spec);

/* The next of several SPECs with commas between them, from *rest, which may be NULL; false after the last, or where it
 * is too long for any device. */
bool devices_next_spec(const char **rest, char spec[256]);

/* Whether the device is the one that devices_select gives for NULL. */
bool devices_is_default(const struct device_list *list, const struct backend_device *device);

/* As in `orchil devices --json`: backend, index, name, vendor, driver, uuid, ..., capabilities. */
json_t *device_to_json(const struct backend_device *device);
/* The members of an ensemble are the caller's, until device_release. */
enum status device_from_json(const json_t *json, struct backend_device *device, struct error *error);
void device_release(struct backend_device *device);

/* Whether two devices are equal in all but their places in the list. */
bool device_is_equal(const struct backend_device *a, const struct backend_device *b);

/* What a backend's explain() says, in a process of its own too: appended to *text, with what became of the process
 * where it did not end well. */
enum status devices_explain(const struct backend *backend, struct text *text, struct error *error);

#endif
