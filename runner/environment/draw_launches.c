// SPDX-License-Identifier: Apache-2.0
/* Draws for tests of several launches: how many groups each has, and in which order the driver gets
 * them. */
#include "runner/environment/drawing.h"

enum {
    /* There are no meetings, so a launch may have more groups than the device holds at once, at
     * little extra cost. */
    MAXIMUM_WAVES_POWER = 6,      /* 64 times what the device holds */
    MAXIMUM_INSTANCES = 1 << 20,  /* of a batch */
    MAXIMUM_CELL_WORDS = 1 << 26, /* 256 MiB of cells */
};

/* A launch's share of the groups that the device holds at once, if launches may run at the same
 * time. */
static uint32_t share_of(const struct unfinished_draw *drawing, uint32_t resident)
{
    const unsigned beside = kernel_beside_count(drawing->kernel);
    return beside > 0 ? resident / beside : resident;
}

uint32_t launches_room(const struct unfinished_draw *drawing, uint32_t resident)
{
    const struct kernel *kernel = drawing->kernel;
    struct random random = drawing_stream(drawing, PURPOSE_WAVES);
    const bool fits = random_below(&random, 2) == 0;
    const uint32_t waves = 1U << random_below(&random, MAXIMUM_WAVES_POWER + 1);
    const uint64_t cells = (uint64_t)kernel->cell_words * drawing->values.stride * drawing->instances;
    uint64_t room = kernel_beside_count(kernel) > 0 && fits ? share_of(drawing, resident) : (uint64_t)resident * waves;
    room = drawing_minimum(room, DRAWING_MAXIMUM_GROUPS);
    room = drawing_minimum(room, MAXIMUM_INSTANCES / drawing->instances);
    if (cells > 0)
        room = drawing_minimum(room, MAXIMUM_CELL_WORDS / cells);
    return (uint32_t)room;
}

/* Testing groups have at least half of the launch's share, so that they do not wait for groups that
 * wait for them. */
uint32_t launches_stress(const struct unfinished_draw *drawing, uint32_t resident, uint32_t testing)
{
    const uint32_t share = share_of(drawing, resident);
    const uint32_t left = share > testing ? share - testing : 0;
    return drawing_minimum((uint64_t)share * drawing->values.stress_percent / 100, drawing_maximum(share / 2, left));
}

size_t launches_result_groups(const struct unfinished_draw *drawing)
{
    return MAXIMUM_INSTANCES / (drawing->limits->max_group_size / drawing->kernel->width) + 1;
}

/* The order is drawn: the next launch is any of those whose predecessors are in it. */
void launches_order(struct unfinished_draw *drawing)
{
    const struct litmus_launches *launches = &drawing->kernel->launches;
    struct draw *draw = drawing->draw;
    struct random random = drawing_stream(drawing, PURPOSE_ORDER);
    unsigned placed = 0;
    for (draw->launches = 0; draw->launches < launches->count; draw->launches++) {
        unsigned ready[LITMUS_MAXIMUM_LAUNCHES] = {0}, count = 0;
        for (unsigned launch = 0; launch < launches->count; launch++)
            if (!(placed >> launch & 1) && (launches->launches[launch].after & ~placed) == 0)
                ready[count++] = launch;
        const unsigned next = ready[random_below(&random, count)];
        draw->order[draw->launches] = next;
        placed |= 1U << next;
    }
}

void launches_print(const struct draw *draw, struct text *text)
{
    text_add(text, ",\"order\":[");
    for (unsigned i = 0; i < draw->launches; i++)
        text_add(text, "%s%u", i > 0 ? "," : "", draw->order[i]);
    text_add(text, "]");
}
