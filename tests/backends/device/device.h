// SPDX-License-Identifier: Apache-2.0
/* The tests that every real device must pass. */
#ifndef ORCHIL_TESTS_DEVICE_H
#define ORCHIL_TESTS_DEVICE_H

/* Holds the named backend's first usable device to the contract of backend.h; 77, with the reason, without a device. */
int device_run(const char *name);

#endif
