// SPDX-License-Identifier: Apache-2.0
/* HIP's runtime and HIPRTC, opened at run time. Both stay loaded until the process ends. */
#ifndef ORCHIL_HIP_LIBRARY_H
#define ORCHIL_HIP_LIBRARY_H

#include "backends/gpu/api.h"
#include "backends/hip/symbols.h"
#include "base/status.h"

enum { HIP_PROPERTIES_BYTES = 4096 };

#define HIP_MEMBER(result, name, parameters) result(*name) parameters;
struct hiprtc {
    void *handle;
    int major, minor; /* as hiprtcVersion says: 9.0 for HIP 5, 6.2, 7.0 */
    HIP_HIPRTC_FUNCTIONS(HIP_MEMBER)
};
#undef HIP_MEMBER

extern const struct gpu_driver hip_driver; /* hip.c */

/* As `open` in struct gpu_driver: libamdhip64, version 7, 6 or 5, or the file that ORCHIL_HIP names. The functions that HIP has in
 * another form than CUDA get theirs. */
enum status hip_open(struct gpu_api *api, struct error *error);

/* The processor of a device with its features, "gfx90a:sramecc+:xnack-", and its place on the bus,
 * "0000:83:00.0"; empty if HIP does not say. Of the runtime that hip_open opened. */
void hip_read_processor(int device, char processor[64]);
void hip_read_place(int device, char place[32]);

/* Opens HIPRTC: the file that ORCHIL_HIPRTC names, else the newest libhiprtc, else the runtime itself,
 * which has it up to version 7. BUILD_FAILED, with the places searched and how to get it. */
enum status hiprtc_open(struct hiprtc *hiprtc, struct error *error);

#endif
