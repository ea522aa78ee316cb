// SPDX-License-Identifier: Apache-2.0
/* What the tests of environments and draws share. */
#ifndef ORCHIL_TESTS_ENVIRONMENT_FIXTURE_H
#define ORCHIL_TESTS_ENVIRONMENT_FIXTURE_H

/* A text file without the newline at its end; to be freed. Fails the test where it cannot be read. */
char *fixture_read(const char *path);

#endif
