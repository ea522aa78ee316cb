// SPDX-License-Identifier: Apache-2.0
/* The devices of this machine. Each backend is asked in a separate process (`orchil worker --list BACKEND`), because a
 * broken driver may crash or hang the process that loads it, and the supervisor must never load a driver. */
#pragma once

#include "backends/backend.h"
#include "base/temporary_folder.h"
#include "runner/protocol/device.h"

/* The result of asking one backend. */
struct device_finding {
    const struct backend *backend;
    enum status status;             /* NO_DEVICE, DEVICE_FAILED (crashed or hung), OK */
    char text[1024];                /* why there are no devices; empty if status is OK */
    struct device_address ensemble; /* if one was asked for; else empty */
};

/* The findings that a list can hold: one for each backend and one for each ensemble. */
enum { DEVICES_MAXIMUM_FINDINGS = 16 };

struct device_list {
    /* In the order CUDA, OpenCL, simulated, ensembles; the list also owns the ensembles' members. */
    struct backend_device *devices;
    size_t count, room;
    struct device_finding findings[DEVICES_MAXIMUM_FINDINGS];
    size_t finding_count;
    struct temporary_folder folder; /* for the workers' drivers, if they lack one */
};

/* Asks every backend, or only the named one. No device is not an error here: see devices_select. Workers may use these
 * devices until the list is released, because it owns the folder for drivers without one. */
enum status devices_find(const char *backend_name, struct device_list *list, struct error *error);
void devices_release(struct device_list *list);

/* Asks for the devices that a SPEC of devices_select may name: one backend's if it names only this one, and each
 * ensemble that it names. USAGE if the address of an ensemble is wrong. An ensemble that cannot be made is not an error
 * here. */
enum status devices_find_for(const char *spec, struct device_list *list, struct error *error);

/*
 * The devices that SPEC selects: "cuda:0", "opencl:1"; "cuda", "opencl", "simulated" (that backend's first GPU, else
 * its first device); "all", "cuda:all" (of that backend); "cuda:0+cuda:1", "cuda:0+host" (an ensemble of devices that
 * share memory); else a substring of a device's name (case ignored; several matches are an error that lists them).
 * Several SPECs separated by commas, each for one device, select these devices, unless a device's name contains the
 * whole text. NULL: the first GPU, else the first device; a simulated device only if requested by name or if
 * ORCHIL_SIMULATED is set. NO_DEVICE, with each backend's reason, if there is none.
 * *chosen is an array of pointers into list, without duplicates, freed by the caller with free().
 */
enum status devices_select(const struct device_list *list, const char *spec, const struct backend_device ***chosen,
                           size_t *count, struct error *error);

/* Asks for the one device that SPEC selects. USAGE if it selects several. The caller releases the list, whatever the
 * result. */
enum status devices_find_one(const char *spec, struct device_list *list, const struct backend_device **device,
                             struct error *error);

/* Appends "cuda:0 (NVIDIA H200), opencl:0 (...)", or "none"; and a line without its newline for each backend that has
 * no devices: why. */
void devices_add_names(const struct device_list *list, struct text *text);
void devices_add_findings(const struct device_list *list, struct text *text);

/* Whether SPEC selects a kind of devices ("all", "cuda:all"): equal devices then share their jobs. */
bool devices_shared(const char *spec);

/* The backend that SPEC names ("cuda", "cuda:0", "cuda:0,cuda:1"), for devices_find; NULL for anything else, including
 * NULL. */
const char *devices_backend(const char *spec);

/* Whether devices_select selects this device for NULL. */
bool devices_is_default(const struct device_list *list, const struct backend_device *device);

/* Appends to *text the output of a backend's explain(), run in a separate process, and how the process ended if it
 * failed. */
enum status devices_explain(const struct backend *backend, struct text *text, struct error *error);

/* A folder for drivers that have none to write to, because the user has no home folder or cannot write it. */
