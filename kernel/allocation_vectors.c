// SPDX-License-Identifier: Apache-2.0
/* Surveys what vector accesses and hints need: contiguous words, alignment, and a device that has
 * them. */
#include "kernel/allocation.h"
#include "litmus/language/order.h"
#include "litmus/language/words.h"

/* A cache line of the GPU: a warp's accesses to one line are one request. */
enum { LINE_WORDS = 32, LOCAL_WORDS = 4 };

static void survey_hint(struct allocation_survey *survey, enum litmus_cache cache)
{
    allocation_need(survey, ptx_cache_since(cache), litmus_cache_name(cache));
}

static bool survey_expression(const struct litmus_expression *expression, void *context)
{
    if (expression->access) {
        survey_hint(context, expression->access->cache);
        survey_hint(context, expression->access->prefetch);
    }
    return true;
}

/* The architectures of PTX's vectors (PTX ISA, ld, st, atom and red); those of sm_70, all devices have that take PTX. */
static void survey_architecture(struct allocation_survey *survey, const struct litmus_vector *vector)
{
    const bool moves = operation_moves(vector->access.operation);
    if (vector->lanes * litmus_type_size(vector->access.type) > 16)
        allocation_need(survey, 100, "a vector of 32 bytes");
    else if (!moves)
        allocation_need(survey, 90, vector->whole ? "an atomic of .b128" : "a vector atomic");
}

/* The next power of two. */
static unsigned round_up(unsigned words)
{
    unsigned power = 1;
    while (power < words)
        power *= 2;
    return power;
}

/* A vector lies within its location (litmus/check/check_vector.c), and an alias is as large as its
 * storage. So the needs follow from the location alone. */
static void note_room(struct allocation_survey *survey, const struct litmus_vector *vector)
{
    struct allocation *allocation = survey->allocation;
    const unsigned index = (unsigned)vector->access.address->index;
    const struct litmus_location *location = &allocation->test->locations[index];
    struct allocation_vectored *vectored = &allocation->vectored[allocation->path_of[index].storage];
    const unsigned words = allocation_words(location->type) * location->elements, power = round_up(words);
    const unsigned line = location->region == LITMUS_LOCAL ? LOCAL_WORDS : LINE_WORDS;
    if (litmus_type_size(location->type) < 4)
        allocation_refuse(survey, "a vector access of %s, whose elements have fewer than 32 bits", location->name);
    *vectored = (struct allocation_vectored){.room = words, .alignment = power < line ? power : line};
    if (vectored->alignment > allocation->kernel->alignment)
        allocation->kernel->alignment = vectored->alignment;
}

/* HIP C++ has OpenCL C's atomic functions from a prelude, but no vector types and no vload. */
static void survey_language(struct allocation_survey *survey)
{
    const unsigned takes = survey->allocation->device->takes;
    if ((takes & BACKEND_TAKES_CUDA) && !(takes & BACKEND_TAKES_PTX))
        allocation_refuse(survey, "a vector access, for which HIP C++ has no words here");
}

static void survey_block(struct allocation_survey *survey, const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        if (statement->kind == LITMUS_VECTOR && statement->vector.access.address->kind == LITMUS_EXPRESSION_ADDRESS) {
            survey_language(survey);
            survey_architecture(survey, &statement->vector);
            note_room(survey, &statement->vector);
        }
        survey_block(survey, &statement->body);
        survey_block(survey, &statement->otherwise);
    }
}

enum status allocation_survey_vectors(struct allocation *allocation, struct error *error)
{
    struct allocation_survey survey = {.allocation = allocation, .error = error};
    for (unsigned body = 0; body < allocation->test->body_count; body++) {
        (void)allocation_each_expression(&allocation->test->threads[body].body, survey_expression, &survey);
        survey_block(&survey, &allocation->test->threads[body].body);
    }
    TRY(survey.status);
    return allocation_check_architecture(allocation, survey.architecture, survey.what, error);
}
