// SPDX-License-Identifier: Apache-2.0
/* `orchil doctor --report`: one file about this machine's devices, to be sent to others. */
#ifndef ORCHIL_CLI_VERBS_DOCTOR_REPORT_H
#define ORCHIL_CLI_VERBS_DOCTOR_REPORT_H

/*
 * Writes a compressed archive: what doctor and devices print, the database of a run of these tests (a TEST) on the
 * default device, which may take that many seconds and is stopped soon after, and the code of its kernels. Names of this user and of this machine, and paths of
 * the home folder, are left out. Prints what it does. Returns the exit code; without a usable device,
 * the archive says why.
 */
int doctor_report(const char *verb, const char *file, double seconds, const char *tests);

#endif
