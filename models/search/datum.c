// SPDX-License-Identifier: Apache-2.0
/* Addresses as values, and values that record the events that they come from. */
#include "models/search/enumerate.h"

#include "litmus/language/value.h"

/* Larger than any number that a test is likely to compute, and within 32 bits. */
enum { ADDRESS_BASE = 0x40000000, ADDRESS_SPAN = 2 * LITMUS_MAXIMUM_ELEMENTS };

int64_t address_encode(int location, uint32_t element)
{
    return ADDRESS_BASE + (int64_t)location * ADDRESS_SPAN + element;
}

bool address_decode(const struct litmus_test *test, int64_t value, int *location, uint32_t *element)
{
    const int64_t offset = value - ADDRESS_BASE;
    if (offset < 0 || offset / ADDRESS_SPAN >= (int64_t)test->location_count)
        return false;
    *location = (int)(offset / ADDRESS_SPAN);
    *element = (uint32_t)(offset % ADDRESS_SPAN);
    return *element < test->locations[*location].elements;
}

uint32_t address_count(const struct litmus_test *test)
{
    uint32_t count = 0;
    for (size_t i = 0; i < test->location_count; i++)
        count += test->locations[i].elements;
    return count;
}

int64_t address_numbered(const struct litmus_test *test, uint32_t number)
{
    int location = 0;
    for (; number >= test->locations[location].elements; location++)
        number -= test->locations[location].elements;
    return address_encode(location, number);
}

static struct litmus_value value_of(struct datum datum)
{
    return (struct litmus_value){datum.value, datum.type};
}

struct datum datum_unary(enum litmus_operator op, struct datum operand)
{
    const struct litmus_value result = litmus_value_unary(op, value_of(operand));
    return (struct datum){result.value, result.type, operand.from, operand.unknown, 0};
}

struct datum datum_binary(enum litmus_operator op, struct datum left, struct datum right)
{
    const struct litmus_value result = litmus_value_binary(op, value_of(left), value_of(right));
    return (struct datum){result.value, result.type, left.from | right.from, left.unknown || right.unknown, 0};
}

bool datum_is_defined(enum litmus_operator op, struct datum left, struct datum right)
{
    return litmus_value_is_defined(op, value_of(left), value_of(right));
}
