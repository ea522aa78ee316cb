// SPDX-License-Identifier: Apache-2.0
/* The storage and the address of a location's name. */
#include "litmus/litmus.h"

unsigned litmus_storage(const struct litmus_test *test, unsigned location)
{
    while (test->locations[location].alias_of != LITMUS_NONE)
        location = (unsigned)test->locations[location].alias_of;
    return location;
}

unsigned litmus_address(const struct litmus_test *test, unsigned location)
{
    while (test->locations[location].proxy != LITMUS_GENERIC && test->locations[location].alias_of != LITMUS_NONE)
        location = (unsigned)test->locations[location].alias_of;
    return location;
}
