// SPDX-License-Identifier: Apache-2.0
/* OPENCL tests: the language of their threads, and what may point to an image. */
#include "litmus/parse/c_language.h"

static const struct c_language opencl = {
    .page = "language-opencl.md",
    .functions = C_OPENCL,
    .orders = c_order_words,
    .scopes = c_scope_words,
    .regions = region_words,
    .an_order = "an order such as memory_order_relaxed",
    .a_scope = "a scope such as memory_scope_device",
    .a_parameter = "a pointer parameter such as global atomic_int* x",
    .atomic_types = true,
    .generic_pointers = true,
    .images = true,
    .notes_form = true,
};

static enum status check_address(struct parser *parser, int points_to, struct litmus_place place)
{
    const struct litmus_location *location = points_to == LITMUS_NONE ? NULL : &parser->test->locations[points_to];
    return location && location->region == LITMUS_IMAGE
               ? parser_fail(parser, place, STATUS_SYNTAX, "expected the address of a buffer, found the image '%s'",
                             location->name)
               : STATUS_OK;
}

/* Nothing points to an image: only its own functions access it. */
static enum status check_addresses(struct parser *parser)
{
    const struct litmus_test *test = parser->test;
    for (size_t i = 0; i < test->location_count; i++)
        TRY(check_address(parser, test->locations[i].points_to, test->locations[i].place));
    for (size_t i = 0; i < parser->draft_count; i++) {
        const struct litmus_thread *thread = &parser->drafts[i]->thread;
        for (size_t r = 0; r < thread->register_count; r++)
            TRY(check_address(parser, thread->registers[r].points_to, thread->place));
    }
    return STATUS_OK;
}

enum status parse_opencl_threads(struct parser *parser)
{
    TRY(parse_c_threads(parser, &opencl));
    return check_addresses(parser);
}
