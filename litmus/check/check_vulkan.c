// SPDX-License-Identifier: Apache-2.0
/* That locations of VULKAN tests have types that its atomic instructions have. */
#include "litmus/check/checker.h"

enum status parse_check_vulkan(struct parser *parser)
{
    const struct litmus_test *test = parser->test;
    if (test->dialect != LITMUS_VULKAN)
        return STATUS_OK;
    for (size_t i = 0; i < test->location_count; i++) {
        const struct litmus_location *location = &test->locations[i];
        const size_t size = litmus_type_size(location->type);
        if (size < 4 || litmus_type_is_float(location->type))
            return parser_fail(parser, location->place, STATUS_SYNTAX,
                               "expected '%s' to be an int, a uint, a long or a ulong, found %s", location->name,
                               litmus_type_name(location->type));
        if (location->region != LITMUS_GLOBAL)
            return parser_fail(parser, location->place, STATUS_SYNTAX,
                               "expected '%s' without a region, found one: in VULKAN the storage class of its "
                               "accesses says where it is",
                               location->name);
    }
    return STATUS_OK;
}
