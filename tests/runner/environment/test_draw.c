// SPDX-License-Identifier: Apache-2.0
/* Protects the basis of every result: a draw is a function of its arguments, all index maps are permutations, nothing
 * in memory overlaps, and batches are cut so that a job reaches its requested number of instances with little
 * excess. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/random.h"
#include "runner/environment/environment.h"

/* ---- kernels and limits to draw for ---- */

/* How bodies are placed in sub-groups: not at all, all in one, each in its own, or in rows of two sub-groups with an
 * item each; or the slots share a cluster. */
enum grouping { NO_SUB_GROUPS, ONE_SUB_GROUP, OWN_SUB_GROUPS, ROWS, CLUSTER };

/* Makes a kernel with the fields that a draw needs. */
static struct kernel make_kernel(unsigned slots, unsigned bodies, unsigned width, unsigned locations,
                                 unsigned local_cells, enum grouping grouping)
{
    struct kernel kernel = {
        .slots = slots,
        .bodies = bodies,
        .width = width,
        .cell_words = locations + (locations > 1 ? locations % 2 : 0),
        .locations = locations,
        .result_words = 2 * bodies + 1,
        .local_cells = local_cells,
        .variables = bodies,
        .words = bodies,
        .outcomes = 4,
        .histogram_words = 6,
        .table_entries = 16,
    };
    kernel.counter_words = (uint32_t)COUNTER_HISTOGRAM + kernel.histogram_words + 16 * (kernel.words + 2);
    for (unsigned body = 0; body < bodies; body++) {
        kernel.slot_of[body] = body % slots;
        kernel.first_of_slot[body] = body < slots;
        kernel.sub_group_of[body] = grouping == NO_SUB_GROUPS || grouping == CLUSTER ? LITMUS_NONE
                                    : grouping == ONE_SUB_GROUP                      ? 0
                                                                                     : (int)(body / slots);
    }
    if (grouping == ROWS) {
        kernel.sub_groups = 2;
        kernel.sub_group_items = width / 2;
    }
    kernel.cluster_groups = grouping == CLUSTER ? slots : 1;
    return kernel;
}

static const struct shape {
    unsigned slots, bodies, width, locations, local_cells;
    enum grouping grouping;
} shapes[] = {
    {1, 1, 1, 1, 0, NO_SUB_GROUPS},
    {2, 2, 1, 2, 0, NO_SUB_GROUPS},
    {1, 2, 1, 2, 0, NO_SUB_GROUPS},
    {1, 2, 1, 0, 2, NO_SUB_GROUPS},
    {1, 2, 1, 2, 0, ONE_SUB_GROUP},
    {3, 4, 1, 3, 1, NO_SUB_GROUPS},
    {4, 4, 1, 2, 0, NO_SUB_GROUPS},
    {1, 1, 7, 2, 0, NO_SUB_GROUPS},
    {2, 2, 32, 2, 3, NO_SUB_GROUPS},
    {1, 1, 512, 3, 0, NO_SUB_GROUPS},
    {16, 16, 1, 256, 0, NO_SUB_GROUPS},
    {2, 3, 5, 5, 5, NO_SUB_GROUPS},
    {1, 2, 1, 2, 0, OWN_SUB_GROUPS},
    {2, 4, 1, 2, 2, OWN_SUB_GROUPS},
    {1, 4, 1, 2, 0, NO_SUB_GROUPS},
    {1, 4, 4, 2, 1, ROWS},
    {2, 4, 2, 2, 0, ROWS},
    {1, 8, 16, 2, 0, ROWS},
    {2, 2, 1, 2, 0, CLUSTER},
    {3, 3, 1, 2, 1, CLUSTER},
    {8, 8, 2, 2, 0, CLUSTER},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct kernel kernel_of(const struct shape *shape)
{
    return make_kernel(shape->slots, shape->bodies, shape->width, shape->locations, shape->local_cells,
                       shape->grouping);
}

static const struct draw_limits devices[] = {
    {.resident_groups = 2, .max_group_size = 4096, .sub_group_size = 1, .local_bytes = 512 * 1024},
    {.resident_groups = 1, .max_group_size = 1000, .sub_group_size = 8, .local_bytes = 32 * 1024},
    {.resident_groups = 1056,
     .max_group_size = 1024,
     .sub_group_size = 32,
     .max_cluster_groups = 8,
     .copies = true,
     .local_bytes = 48 * 1024},
    {.resident_groups = 97,
     .max_group_size = 768,
     .sub_group_size = 24,
     .max_cluster_groups = 5,
     .copies = true,
     .local_bytes = 16 * 1024},
    {.resident_groups = 100000, .max_group_size = 64, .sub_group_size = 16, .local_bytes = 8 * 1024},
};
enum { DEVICES = sizeof devices / sizeof *devices };

static struct environment make_environment(bool gpu)
{
    const struct backend_device device = {.gpu = gpu};
    struct environment environment;
    environment_default(&device, &environment);
    return environment;
}

/* An environment with ranges as wide as their bounds, except as needed for a test of a second. */
static struct environment wide_environment(void)
{
    struct environment environment = make_environment(true);
    environment.group_size = (struct environment_range){1, 4096};
    environment.testing_percent = (struct environment_range){1, 100};
    environment.stress_percent = (struct environment_range){0, 100};
    environment.rounds = (struct environment_range){1, 65535};
    environment.teams = (struct environment_range){1, 8};
    environment.lane_offset = (struct environment_range){0, 4095};
    environment.stress_lines = (struct environment_range){1, 256};
    environment.stress_line_words = (struct environment_range){1, 1024};
    environment.local_stride = (struct environment_range){1, 64};
    environment.cluster_chance = (struct environment_range){80, 80};
    environment.cluster_groups = (struct environment_range){2, 8};
    environment.cluster_partners_chance = (struct environment_range){50, 50};
    environment.stress_copy_chance = (struct environment_range){50, 50};
    environment.stress_copy_bytes = (struct environment_range){16, 16384};
    return environment;
}

/* ---- invariants of every draw ---- */

static void check_permutation(const uint32_t *image, uint32_t count, const char *what)
{
    bool *seen = calloc(count + 1, sizeof *seen);
    assert_non_null(seen);
    for (uint32_t i = 0; i < count; i++) {
        if (image[i] >= count || seen[image[i]])
            fail_msg("%s: %u of %u is hit twice or lies outside", what, image[i], count);
        seen[image[i]] = true;
    }
    free(seen);
}

static void check_shuffle(const struct draw *draw)
{
    check_permutation(draw->words + draw->words[DRAW_SHUFFLE], draw->groups, "shuffle");
}

/* Computed as in find_place and group_of of the skeleton, in 32 bits. */
static void check_teams(const struct draw *draw, const struct kernel *kernel)
{
    const uint32_t testing = draw->testing_groups;
    uint32_t *image = calloc(testing, sizeof *image);
    assert_non_null(image);
    assert_int_equal(testing % kernel->slots, 0);
    for (uint32_t map = 0; map < draw->words[DRAW_TEAM_MAP_COUNT]; map++) {
        const uint32_t *words = draw->words + draw->words[DRAW_TEAM_MAPS] + 3 * map;
        for (uint32_t group = 0; group < testing; group++) {
            const uint32_t position = (group * words[0] + words[1]) % testing;
            image[group] = position;
            const uint32_t back = (position + testing - words[1]) % testing * words[2] % testing;
            assert_int_equal(back, group);
        }
        check_permutation(image, testing, "team map");
        /* A test's own cluster is one team. */
        const uint32_t *shuffle = draw->words + draw->words[DRAW_SHUFFLE], size = kernel->cluster_groups;
        for (uint32_t i = 0; size > 1 && i < draw->groups; i++)
            if (shuffle[i] < testing)
                assert_int_equal(image[shuffle[i]] / kernel->slots, image[shuffle[i / size * size]] / kernel->slots);
    }
    free(image);
}

/* Clusters are full; a test gets the clusters that it needs, and drawn sizes are within the device's limit. Neighbours
 * are adjacent, and do not mix testing and stressing. */
static void check_clusters(const struct draw *draw, const struct kernel *kernel, const struct draw_limits *limits)
{
    const uint32_t *shuffle = draw->words + draw->words[DRAW_SHUFFLE], size = draw->neighbours;
    assert_int_equal(draw->groups % draw->cluster_groups, 0);
    assert_int_equal(draw->cluster_groups % size, 0);
    assert_int_equal(draw->words[DRAW_CLUSTER_GROUPS], draw->cluster_groups > 1 ? draw->cluster_groups : 0);
    assert_int_equal(draw->requested[DRAW_CLUSTERS_REQUESTED], kernel->cluster_groups == 1 && draw->cluster_groups > 1);
    if (kernel->cluster_groups > 1)
        assert_int_equal(draw->cluster_groups, kernel->cluster_groups);
    else
        assert_true(draw->cluster_groups == 1 || draw->cluster_groups <= limits->max_cluster_groups);
    for (uint32_t i = 0; i < draw->groups; i++) {
        assert_int_equal(shuffle[i], shuffle[i / size * size] + i % size);
        assert_int_equal(shuffle[i] < draw->testing_groups, shuffle[i / size * size] < draw->testing_groups);
    }
}

/* The instance of a body that a lane plays, computed as in `permuted` of the skeleton. */
static uint32_t permuted(const struct draw *draw, unsigned body, uint32_t lane)
{
    const uint32_t *map = draw->words + draw->words[DRAW_LANE_MAPS] + LANE_MAP_WORDS * body;
    const uint32_t within = lane % map[2];
    return (lane - within + (within * map[0] + map[1]) % map[2] + map[4]) % draw->group_size;
}

/* Items of a row's sub-groups, computed as in a slot's function: the threads of one sub-group of an instance are played
 * by one sub-group of the device, those of another by another. */
static void check_rows(const struct draw *draw, const struct kernel *kernel)
{
    const uint32_t size = kernel->sub_group_size, groups = kernel->sub_groups, items = kernel->sub_group_items;
    uint32_t *player = calloc(draw->group_size, sizeof *player);
    uint32_t *image = calloc(draw->group_size, sizeof *image);
    assert_true(player && image);
    assert_int_equal(draw->group_size % (size * groups), 0);
    for (uint32_t lane = 0; lane < draw->group_size; lane++) {
        const uint32_t item = permuted(draw, 0, lane), place = item % size;
        const uint32_t instance = item / (size * groups) * (size / items) + place / items;
        const uint32_t thread = item / size % groups * items + place % items;
        assert_true(instance < draw->group_size / kernel->width && thread < kernel->width);
        image[lane] = instance * kernel->width + thread;
        player[image[lane]] = lane;
    }
    check_permutation(image, draw->group_size, "rows");
    for (uint32_t i = 0; i < draw->group_size; i++) {
        const uint32_t instance = i / kernel->width, row = i % kernel->width / items;
        for (uint32_t other = instance * kernel->width; other < i; other++)
            assert_int_equal(player[i] / size == player[other] / size, row == other % kernel->width / items);
    }
    free(player);
    free(image);
}

static void check_lanes(const struct draw *draw, const struct kernel *kernel, const struct draw_limits *limits)
{
    if (kernel->sub_groups > 0)
        check_rows(draw, kernel);
    uint32_t *image = calloc(draw->group_size, sizeof *image);
    assert_non_null(image);
    for (unsigned body = 0; body < kernel->bodies; body++) {
        for (uint32_t lane = 0; lane < draw->group_size; lane++)
            image[lane] = permuted(draw, body, lane);
        check_permutation(image, draw->group_size, "lane map");
        for (unsigned other = 0; other < body && kernel->width == 1; other++) {
            const bool grouped = kernel->sub_group_of[body] != LITMUS_NONE; /* refused if sub-groups have one item */
            if (kernel->slot_of[other] != kernel->slot_of[body] || draw->group_size < kernel->bodies ||
                (grouped && limits->sub_group_size < kernel->bodies))
                continue;
            /* Threads of one instance are played by different lanes, of the same sub-group or of different ones. */
            uint32_t *player = calloc(draw->group_size, sizeof *player);
            assert_non_null(player);
            for (uint32_t lane = 0; lane < draw->group_size; lane++)
                player[permuted(draw, other, lane)] = lane;
            for (uint32_t lane = 0; lane < draw->group_size; lane++) {
                const uint32_t partner = player[image[lane]];
                if (partner == lane)
                    fail_msg("lane %u of %u plays P%u and P%u of one instance (sub-groups of %u)", lane,
                             draw->group_size, other, body, limits->sub_group_size);
                if (grouped)
                    assert_int_equal(partner / limits->sub_group_size == lane / limits->sub_group_size,
                                     kernel->sub_group_of[body] == kernel->sub_group_of[other]);
            }
            free(player);
        }
    }
    free(image);
}

/* Checks that every cell of every instance has its own words, inside the memory and after the results. */
static void check_cells(const struct draw *draw, const struct kernel *kernel)
{
    const uint32_t testing = draw->testing_groups, instances = draw->group_size / kernel->width;
    uint32_t *image = calloc((size_t)testing * instances, sizeof *image);
    assert_non_null(image);
    for (unsigned location = 0; location < kernel->locations; location++) {
        const uint32_t *map = draw->words + draw->words[DRAW_CELL_MAPS] + 3 * location;
        if (location > 3 && location != kernel->locations - 1)
            continue;
        for (uint32_t owner = 0; owner < testing; owner++)
            for (uint32_t instance = 0; instance < instances; instance++) {
                const uint32_t shifted = owner + map[2];
                const uint32_t region = shifted >= testing ? shifted - testing : shifted;
                image[owner * instances + instance] = region * instances + (instance * map[0] + map[1]) % instances;
            }
        check_permutation(image, testing * instances, "cell map");
    }
    free(image);
    const size_t cells = draw->words[DRAW_CELLS];
    const size_t last = ((size_t)testing * instances * kernel->cell_words - 1) * draw->words[DRAW_STRIDE];
    assert_int_equal(cells % 2, 0);
    if (kernel->cell_words > 0)
        assert_true(cells + last < draw->memory_words);
    assert_true(draw->words[DRAW_RESULTS] + (size_t)testing * instances * kernel->result_words <= cells);
    assert_true(draw->memory_words <= (size_t)1 << 30);
}

static void check_lines(const struct draw *draw)
{
    const uint32_t *lines = draw->words + draw->words[DRAW_STRESS_LINES];
    const uint32_t count = draw->words[DRAW_STRESS_LINE_COUNT], size = draw->words[DRAW_STRESS_LINE_WORDS];
    assert_true(count > 0 && size > 0);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_true(lines[k] + size <= lines[i] || lines[i] + size <= lines[k]);
    for (uint32_t i = 0; i < count; i++)
        assert_true((size_t)lines[i] + size <= draw->scratch_words);
}

static void check_tables(const struct draw *draw, const struct kernel *kernel)
{
    const struct {
        uint32_t at;
        size_t size;
    } tables[] = {
        {draw->words[DRAW_SHUFFLE], draw->groups},
        {draw->words[DRAW_TEAM_MAPS], 3 * (size_t)draw->words[DRAW_TEAM_MAP_COUNT]},
        {draw->words[DRAW_LANE_MAPS], LANE_MAP_WORDS * (size_t)kernel->bodies},
        {draw->words[DRAW_CELL_MAPS], 3 * (size_t)kernel->locations},
        {draw->words[DRAW_STRESS_LINES], draw->words[DRAW_STRESS_LINE_COUNT]},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        assert_true(tables[i].at >= DRAW_FIXED_WORDS && tables[i].at + tables[i].size <= draw->word_count);
        for (size_t k = 0; k < i; k++)
            assert_true(tables[k].at + tables[k].size <= tables[i].at || tables[i].at + tables[i].size <= tables[k].at);
    }
}

static void check_sizes(const struct draw *draw, const struct kernel *kernel, const struct draw_limits *limits)
{
    const uint32_t meetings = 2 * draw->rounds * (draw->testing_groups / kernel->slots);
    if (kernel->slots > limits->resident_groups)
        assert_true(draw->detached);
    if (draw->detached) {
        assert_int_equal(draw->rounds, 1);
        assert_int_equal(draw->groups, draw->testing_groups);
    } else
        assert_true(draw->groups <= limits->resident_groups);
    assert_true(draw->testing_groups >= kernel->slots && draw->testing_groups <= draw->groups);
    assert_true(draw->group_size >= kernel->width && draw->group_size <= limits->max_group_size);
    assert_true(draw->local_bytes <= limits->local_bytes);
    assert_int_equal(draw->local_bytes, draw_local_bytes(kernel, draw->group_size, draw->words[DRAW_LOCAL_STRIDE],
                                                         draw->words[DRAW_COPY_BYTES]));
    assert_int_equal(draw->instances,
                     (uint64_t)draw->testing_groups * (draw->group_size / kernel->width) * draw->rounds);
    assert_true(draw->instances <= INT32_MAX); /* no counter of 32 bits can overflow */
    assert_int_equal(draw->words[DRAW_MEETING_POINTS], kernel->counter_words);
    assert_int_equal(draw->counter_words, kernel->counter_words + meetings);
    assert_int_equal(draw->requested[DRAW_STRESS_REQUESTED], draw->groups > draw->testing_groups);
    assert_int_equal(draw->requested[DRAW_PRE_STRESS_REQUESTED], draw->words[DRAW_PRE_STRESS_ROUNDS] != 0);
    assert_int_equal(draw->requested[DRAW_JITTER_REQUESTED], draw->words[DRAW_JITTER_STEPS] != 0);
    assert_int_equal(draw->requested[DRAW_MEET_ALL_REQUESTED], draw->words[DRAW_MEET_ALL]);
    if (draw->words[DRAW_MEET_ALL])
        assert_true(!draw->detached && draw->testing_groups > kernel->slots && kernel->slots > 1);
}

/* Checks that copies are inside scratch memory and, after the test's data, inside local memory, in units of 16
 * bytes. */
static void check_copies(const struct draw *draw, const struct kernel *kernel, const struct draw_limits *limits)
{
    const uint32_t bytes = draw->words[DRAW_COPY_BYTES], place = draw->words[DRAW_COPY_PLACE];
    assert_int_equal(draw->requested[DRAW_COPIES_REQUESTED], bytes > 0);
    if (bytes == 0) {
        assert_int_equal(place, 0);
        return;
    }
    assert_true(limits->copies && draw->groups > draw->testing_groups);
    assert_int_equal(bytes % 16, 0);
    assert_int_equal(place % 4, 0);
    assert_true(place >= kernel_local_words(kernel, draw->group_size, draw->words[DRAW_LOCAL_STRIDE]));
    assert_true(4 * (place + 4) + bytes <= draw->local_bytes);
    for (uint32_t line = 0; line < draw->words[DRAW_STRESS_LINE_COUNT]; line++)
        assert_true(draw->words[draw->words[DRAW_STRESS_LINES] + line] / 4 * 4 + bytes / 4 <= draw->scratch_words);
}

/* Draws and checks; false if the test does not fit the device. */
static bool draw_and_check(const struct environment *environment, const struct kernel *kernel,
                           const struct draw_limits *limits, uint64_t batch)
{
    struct draw draw;
    struct error error;
    const enum status status = draw_make(environment, kernel, limits, 3, 5, batch, &draw, &error);
    if (status != STATUS_OK) {
        assert_true(status == STATUS_UNSUPPORTED || status == STATUS_LIMIT);
        assert_null(draw.words);
        return false;
    }
    check_sizes(&draw, kernel, limits);
    check_tables(&draw, kernel);
    check_shuffle(&draw);
    check_teams(&draw, kernel);
    check_clusters(&draw, kernel, limits);
    check_copies(&draw, kernel, limits);
    check_lanes(&draw, kernel, limits);
    check_cells(&draw, kernel);
    check_lines(&draw);
    draw_release(&draw);
    return true;
}

static void check_all(const struct environment *environment, uint64_t batches, uint64_t batch_instances)
{
    unsigned drawn = 0;
    for (size_t s = 0; s < SHAPES; s++)
        for (size_t d = 0; d < DEVICES; d++) {
            struct kernel kernel = kernel_of(&shapes[s]);
            struct draw_limits limits = devices[d];
            limits.batch_instances = batch_instances;
            kernel.sub_group_size = limits.sub_group_size;
            if (limits.sub_group_size % (kernel.sub_group_items ? kernel.sub_group_items : 1) != 0)
                continue; /* refused before the draw */
            for (uint64_t batch = 0; batch < batches; batch++)
                drawn += draw_and_check(environment, &kernel, &limits, batch);
        }
    assert_true(drawn > SHAPES * DEVICES * batches / 2);
}

static void test_invariants(void **state)
{
    const struct environment gpu = make_environment(true), cpu = make_environment(false), wide = wide_environment();
    (void)state;
    check_all(&gpu, 1, 0);
    check_all(&cpu, 1, 0);
    check_all(&wide, 4, 0);
    check_all(&wide, 4, 777);
}

/* A progress test has one round, enough time for a partner that is held up, and on a CPU no other instance's items
 * between the threads of one. */
static void test_progress(void **state)
{
    const struct environment environment = make_environment(false);
    struct draw draw;
    struct error error;
    (void)state;
    for (size_t s = 0; s < SHAPES; s++)
        for (size_t d = 0; d < DEVICES; d++) {
            struct kernel kernel = kernel_of(&shapes[s]);
            kernel.progress = true;
            if (kernel.sub_group_items > 0 && devices[d].sub_group_size % kernel.sub_group_items != 0)
                continue; /* refused before the draw */
            if (draw_make(&environment, &kernel, &devices[d], 3, 5, 0, &draw, &error) != STATUS_OK)
                continue;
            assert_int_equal(draw.rounds, 1);
            assert_true(draw.words[DRAW_SPIN_BOUND] >= (devices[d].sub_group_size < 2 ? 1u << 28 : 1u << 20));
            assert_true(draw.words[DRAW_MEET_POLLS] >= draw.words[DRAW_SPIN_BOUND]);
            if (devices[d].sub_group_size < 2 && kernel.sub_groups == 0 && kernel.sub_group_of[0] == LITMUS_NONE)
                assert_int_equal(draw.group_size, kernel.width);
            draw_release(&draw);
        }
}

/* ---- clusters ---- */

/* The number of a launch's teams whose groups are all in one cluster, in the first arrangement of partners. */
static uint32_t count_inside(const struct draw *draw, uint32_t slots)
{
    const uint32_t *shuffle = draw->words + draw->words[DRAW_SHUFFLE];
    const uint32_t *map = draw->words + draw->words[DRAW_TEAM_MAPS];
    const uint32_t testing = draw->testing_groups;
    uint32_t *cluster = calloc(testing, sizeof *cluster), inside = 0;
    assert_non_null(cluster);
    for (uint32_t i = 0; i < draw->groups; i++)
        if (shuffle[i] < testing)
            cluster[(shuffle[i] * map[0] + map[1]) % testing] = i / draw->cluster_groups;
    for (uint32_t team = 0; team < testing / slots; team++) {
        bool one = true;
        for (uint32_t member = 1; member < slots; member++)
            one &= cluster[team * slots + member] == cluster[team * slots];
        inside += one;
    }
    free(cluster);
    return inside;
}

static struct draw draw_clusters(const struct shape *shape, const struct draw_limits *limits, uint32_t size,
                                 uint32_t partners_chance)
{
    const struct kernel kernel = kernel_of(shape);
    struct environment environment = make_environment(true);
    struct draw draw;
    struct error error;
    environment.shuffle_chance = (struct environment_range){100, 100};
    environment.cluster_chance = (struct environment_range){100, 100};
    environment.cluster_groups = (struct environment_range){size, size};
    environment.cluster_partners_chance = (struct environment_range){partners_chance, partners_chance};
    assert_int_equal(draw_make(&environment, &kernel, limits, 3, 5, 0, &draw, &error), STATUS_OK);
    return draw;
}

/* The maps place partners across clusters or, if requested, most of them inside. */
static void test_cluster_partners(void **state)
{
    (void)state;
    struct draw across = draw_clusters(&shapes[1], &devices[2], 4, 0);
    assert_int_equal(across.cluster_groups, 4);
    assert_true(count_inside(&across, 2) < across.testing_groups / 2 / 10);
    draw_release(&across);
    struct draw inside = draw_clusters(&shapes[1], &devices[2], 4, 100);
    assert_int_equal(inside.cluster_groups, 4);
    assert_true(count_inside(&inside, 2) >= inside.testing_groups / 2 / 4);
    draw_release(&inside);
    struct draw odd = draw_clusters(&shapes[5], &devices[2], 8, 100); /* of three groups: 6 fit */
    assert_int_equal(odd.cluster_groups, 6);
    assert_true(count_inside(&odd, 3) >= odd.testing_groups / 3 / 4);
    draw_release(&odd);
}

/* A device without clusters, few groups, and a test with its own clusters: the draw fits and records its size. */
static void test_cluster_limits(void **state)
{
    struct draw_limits few = devices[2];
    few.resident_groups = 6;
    (void)state;
    struct draw none = draw_clusters(&shapes[1], &devices[0], 8, 100);
    assert_int_equal(none.cluster_groups, 1);
    assert_non_null(
        strstr(text_string(&none.json), "\"cluster_chance\":0,\"cluster_groups\":8,\"cluster_partners_chance\":0"));
    draw_release(&none);
    struct draw cut = draw_clusters(&shapes[1], &few, 8, 0);
    assert_true(cut.cluster_groups >= 2 && cut.cluster_groups <= 6);
    draw_release(&cut);
    struct draw own = draw_clusters(&shapes[18], &devices[2], 8, 0);
    assert_int_equal(own.cluster_groups, 2);
    assert_false(own.requested[DRAW_CLUSTERS_REQUESTED]);
    draw_release(&own);
}

/* ---- stress by copies ---- */

/* The draw of a test of two work-groups, with stress by copies of this size. */
static struct draw draw_copies(const struct draw_limits *limits, uint32_t bytes, uint32_t stress_percent)
{
    const struct kernel kernel = kernel_of(&shapes[1]);
    struct environment environment = make_environment(true);
    struct draw draw;
    struct error error;
    environment.testing_percent = (struct environment_range){50, 50};
    environment.stress_percent = (struct environment_range){stress_percent, stress_percent};
    environment.stress_copy_chance = (struct environment_range){100, 100};
    environment.stress_copy_bytes = (struct environment_range){bytes, bytes};
    assert_int_equal(draw_make(&environment, &kernel, limits, 3, 5, 0, &draw, &error), STATUS_OK);
    check_copies(&draw, &kernel, limits);
    return draw;
}

/* Copies have the drawn size, cut to units and to the local memory; there are none without stress or on devices without
 * copies. */
static void test_copies(void **state)
{
    struct draw_limits narrow = devices[2], without = devices[2];
    (void)state;
    narrow.local_bytes = 512;
    without.copies = false;
    struct draw whole = draw_copies(&devices[2], 1000, 10);
    assert_int_equal(whole.words[DRAW_COPY_BYTES], 992);
    assert_non_null(strstr(text_string(&whole.json), "\"stress_copy_chance\":1,\"stress_copy_bytes\":992"));
    struct draw cut = draw_copies(&narrow, 1000, 10);
    assert_true(cut.words[DRAW_COPY_BYTES] > 0 && cut.local_bytes <= 512);
    struct draw still = draw_copies(&devices[2], 1000, 0), none = draw_copies(&without, 1000, 10);
    assert_int_equal(still.words[DRAW_COPY_BYTES], 0);
    assert_int_equal(none.words[DRAW_COPY_BYTES], 0);
    assert_non_null(strstr(text_string(&none.json), "\"stress_copy_chance\":0"));
    assert_true(none.local_bytes + 992 < whole.local_bytes);
    draw_release(&whole);
    draw_release(&cut);
    draw_release(&still);
    draw_release(&none);
}

/* ---- a draw as a function ---- */

static bool equal_draws(const struct draw *a, const struct draw *b)
{
    return a->word_count == b->word_count && memcmp(a->words, b->words, a->word_count * sizeof *a->words) == 0 &&
           strcmp(text_string(&a->json), text_string(&b->json)) == 0;
}

static void test_function(void **state)
{
    const struct environment environment = make_environment(true);
    const struct kernel kernel = kernel_of(&shapes[1]);
    const struct {
        uint64_t seed, key, batch;
    } others[] = {{7, 11, 14}, {7, 12, 13}, {8, 11, 13}, {13, 11, 7}, {UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    struct draw first, again;
    struct error error;
    (void)state;
    assert_int_equal(draw_make(&environment, &kernel, &devices[2], 7, 11, 13, &first, &error), STATUS_OK);
    assert_int_equal(draw_make(&environment, &kernel, &devices[2], 7, 11, 13, &again, &error), STATUS_OK);
    assert_true(equal_draws(&first, &again));
    assert_int_equal(first.memory_words, again.memory_words);
    draw_release(&again);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(draw_make(&environment, &kernel, &devices[2], others[i].seed, others[i].key, others[i].batch,
                                   &again, &error),
                         STATUS_OK);
        assert_false(equal_draws(&first, &again));
        draw_release(&again);
    }
    draw_release(&first);
}

/* The drawn parameters, without sizes that are cut to the device. */
static json_t *drawn_values(const struct environment *environment, const struct kernel *kernel,
                            const struct draw_limits *limits)
{
    static const char *const sizes[] = {"groups",         "testing_groups", "items",       "played_rounds",
                                        "arguments_hash", "detached",       "local_stride"};
    struct draw draw;
    struct error error;
    assert_int_equal(draw_make(environment, kernel, limits, 1, 2, 3, &draw, &error), STATUS_OK);
    json_t *values = json_loads(text_string(&draw.json), 0, NULL);
    assert_non_null(values);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_int_equal(json_object_del(values, sizes[i]), 0);
    draw_release(&draw);
    return values;
}

static void test_device_gives_sizes_only(void **state)
{
    const struct environment environment = make_environment(true);
    const struct kernel kernel = kernel_of(&shapes[1]);
    json_t *first = drawn_values(&environment, &kernel, &devices[0]);
    (void)state;
    assert_true(json_object_size(first) > 15);
    for (size_t d = 1; d < DEVICES; d++) {
        json_t *other = drawn_values(&environment, &kernel, &devices[d]);
        if (kernel.slots <= devices[d].resident_groups)
            assert_true(json_equal(first, other));
        json_decref(other);
    }
    json_decref(first);
}

static void test_stamps(void **state)
{
    const struct environment environment = {.group_size = {1, 1},
                                            .testing_percent = {100, 100},
                                            .rounds = {65535, 65535},
                                            .teams = {1, 1},
                                            .stride = {1, 1},
                                            .local_stride = {1, 1},
                                            .stress_lines = {1, 1},
                                            .stress_line_words = {1, 1}};
    const struct kernel kernel = kernel_of(&shapes[0]);
    const struct draw_limits limits = {
        .resident_groups = 1, .max_group_size = 1, .sub_group_size = 1, .local_bytes = 1024};
    uint64_t next = 1;
    (void)state;
    for (uint64_t batch = 0; batch < 65536; batch += 1 + batch / 8) {
        struct draw draw;
        struct error error;
        assert_int_equal(draw_make(&environment, &kernel, &limits, 1, 1, batch, &draw, &error), STATUS_OK);
        const uint32_t first = draw.words[DRAW_FIRST_STAMP];
        assert_int_equal(draw.rounds, 65535);
        assert_true(first >= next); /* the stamps of a batch are first .. first + rounds - 1, never 0 */
        next = (uint64_t)first + draw.rounds;
        assert_true(next <= (uint64_t)UINT32_MAX + 1);
        draw_release(&draw);
    }
}

/* The results of all batches of a job use the same memory, where no batch has cells. */
static void test_results_room(void **state)
{
    const struct environment environment = wide_environment();
    (void)state;
    for (size_t s = 0; s < SHAPES; s++)
        for (size_t d = 0; d < DEVICES; d++) {
            const struct kernel kernel = kernel_of(&shapes[s]);
            uint32_t cells = 0;
            for (uint64_t batch = 0; batch < 6; batch++) {
                struct draw draw;
                struct error error;
                if (draw_make(&environment, &kernel, &devices[d], 1, 1, batch, &draw, &error) != STATUS_OK)
                    continue;
                assert_true(cells == 0 || cells == draw.words[DRAW_CELLS]);
                cells = draw.words[DRAW_CELLS];
                draw_release(&draw);
            }
        }
}

static void test_too_large(void **state)
{
    const struct environment environment = make_environment(true);
    struct kernel kernel = kernel_of(&shapes[0]);
    struct draw draw;
    struct error error;
    (void)state;
    kernel.cell_words = 65536;
    assert_int_equal(draw_make(&environment, &kernel, &devices[2], 1, 1, 0, &draw, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.text, "MiB of test memory, more than 4096; choose a smaller stride"));
    kernel = kernel_of(&shapes[9]);
    const struct draw_limits narrow = {
        .resident_groups = 4, .max_group_size = 256, .sub_group_size = 1, .local_bytes = 1024};
    assert_int_equal(draw_make(&environment, &kernel, &narrow, 1, 1, 0, &draw, &error), STATUS_UNSUPPORTED);
    assert_string_equal(error.text, "the test needs work-groups of 512 threads; the device allows 256");
    kernel = make_kernel(1, 1, 64, 0, 1000, NO_SUB_GROUPS);
    assert_int_equal(draw_make(&environment, &kernel, &narrow, 1, 1, 0, &draw, &error), STATUS_UNSUPPORTED);
    assert_string_equal(error.text, "the test needs 4040 bytes of local memory, but a work-group has 1024");
    /* Results that need more than 32 bits of addresses must not wrap around into the cells. */
    kernel = kernel_of(&shapes[0]);
    kernel.result_words = 4096;
    const struct draw_limits huge = {
        .resident_groups = 65535, .max_group_size = 4096, .sub_group_size = 1, .local_bytes = 32768};
    assert_int_equal(draw_make(&environment, &kernel, &huge, 1, 1, 0, &draw, &error), STATUS_LIMIT);
}

/* ---- jobs ---- */

/* Draws batches like a job until `wanted` is reached; returns their number. */
static unsigned play_job(const struct environment *environment, const struct kernel *kernel, struct draw_limits limits,
                         uint64_t wanted)
{
    uint64_t sum = 0;
    unsigned batches = 0;
    limits.batch_instances = wanted / 30 ? wanted / 30 : 1;
    while (sum < wanted) {
        struct draw draw;
        struct error error;
        limits.remaining_instances = wanted - sum;
        assert_int_equal(draw_make(environment, kernel, &limits, 1, 1, batches, &draw, &error), STATUS_OK);
        const uint64_t round = draw.instances / draw.rounds;
        sum += draw.instances;
        batches++;
        assert_true(sum < wanted + round); /* in excess by less than one round */
        draw_release(&draw);
    }
    return batches;
}

static void test_batch_sizes(void **state)
{
    static const uint64_t wanted[] = {1, 30, 1000, 1920, 4000, 12345, 100000, 1000000, 10000019, 300000000};
    const struct environment environments[] = {make_environment(true), make_environment(false), wide_environment()};
    (void)state;
    for (size_t e = 0; e < 3; e++)
        for (size_t s = 0; s < 7; s++)
            for (size_t d = 0; d < DEVICES; d++)
                for (size_t n = 0; n < sizeof wanted / sizeof *wanted; n++) {
                    const struct kernel kernel = kernel_of(&shapes[s]);
                    const uint64_t least = 30 * 32 * (uint64_t)kernel.slots; /* groups get 32 items if possible */
                    if (wanted[n] > 1000000 && (d != 2 || e == 2))
                        continue; /* many small batches */
                    const unsigned batches = play_job(&environments[e], &kernel, devices[d], wanted[n]);
                    if (wanted[n] >= least)
                        assert_true(batches >= 30);
                }
}

/* Only the end of a launch orders reads by an alias or through a proxy after the initial values. So such a kernel plays
 * one round per batch, in separate launches; partners still meet, and only such kernels warm caches. */
static void test_paths(void **state)
{
    struct environment environment = make_environment(true);
    struct error error;
    struct draw draw;
    (void)state;
    environment.warm_chance = (struct environment_range){100, 100};
    environment.stress_percent = environment.no_meeting_chance = (struct environment_range){0, 0};
    for (unsigned path = BACKEND_PATH_ALIAS; path <= BACKEND_PATH_READ_ONLY; path <<= 1) {
        struct kernel kernel = make_kernel(2, 2, 1, 2, 0, NO_SUB_GROUPS);
        const bool separate = path != BACKEND_PATH_ASYNC;
        kernel.paths = path;
        kernel.separate = separate;
        kernel.warm_cells = separate;
        assert_int_equal(draw_make(&environment, &kernel, &devices[2], 1, 2, 3, &draw, &error), STATUS_OK);
        assert_int_equal(draw.separate, separate);
        assert_false(draw.detached);
        assert_int_equal(draw.rounds == 1, separate);
        assert_int_equal(draw.instances, (uint64_t)draw.testing_groups * draw.group_size * draw.rounds);
        assert_int_equal(draw.words[DRAW_WARM], separate);
        assert_int_equal(draw.requested[DRAW_WARM_REQUESTED], separate);
        assert_int_equal(strstr(text_string(&draw.json), "\"warm_chance\":1,") != NULL, separate);
        draw_release(&draw);
    }
    /* Partners that cannot meet have no meetings, in the same number of launches. */
    struct kernel kernel = make_kernel(3, 4, 1, 3, 1, NO_SUB_GROUPS);
    kernel.paths = BACKEND_PATH_ALIAS;
    kernel.separate = true;
    assert_int_equal(draw_make(&environment, &kernel, &devices[0], 1, 2, 3, &draw, &error), STATUS_OK);
    assert_true(draw.detached);
    assert_false(draw.separate);
    draw_release(&draw);
}

/* Every cell of a batch is in the constant bank, whatever is drawn; a test whose team does not fit there is refused. */
static void test_bank(void **state)
{
    struct environment environment = make_environment(true);
    struct error error;
    struct draw draw;
    bool several = false, smaller = false;
    (void)state;
    environment.stride = (struct environment_range){1, 64};
    environment.group_size = (struct environment_range){64, 1024};
    for (uint64_t batch = 0; batch < 400; batch++) {
        struct kernel kernel = make_kernel(2, 2, 1, 2, 0, NO_SUB_GROUPS);
        kernel.paths = BACKEND_PATH_CONSTANT;
        kernel.separate = true;
        kernel.bank_words = 1 + (unsigned)batch % 5;
        assert_int_equal(draw_make(&environment, &kernel, &devices[2], 1, 2, batch, &draw, &error), STATUS_OK);
        const uint64_t words =
            (uint64_t)draw.testing_groups * draw.group_size * kernel.bank_words * draw.words[DRAW_STRIDE];
        if (words > BACKEND_BANK_WORDS)
            fail_msg("batch %llu takes %llu words", (unsigned long long)batch, (unsigned long long)words);
        several |= draw.testing_groups > 2 && draw.words[DRAW_STRIDE] > 1;
        smaller |= draw.words[DRAW_STRIDE] == 1 && words > BACKEND_BANK_WORDS / 2;
        draw_release(&draw);
    }
    assert_true(several && smaller);
    struct kernel kernel = make_kernel(1, 1, 1, 2, 0, NO_SUB_GROUPS);
    kernel.paths = BACKEND_PATH_CONSTANT;
    kernel.separate = true;
    kernel.bank_words = BACKEND_BANK_WORDS + 1;
    assert_int_equal(draw_make(&environment, &kernel, &devices[2], 1, 2, 3, &draw, &error), STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "the constant bank has 16384 words"));
}

static void test_probe(void **state)
{
    const struct kernel kernel = kernel_of(&shapes[1]);
    struct draw draw;
    (void)state;
    draw_probe(&kernel, 16, 4, 64, 1000, &draw);
    assert_int_equal(draw.words[DRAW_STEPS], STEP_PROBE);
    assert_int_equal(draw.words[DRAW_TESTING_GROUPS], 4);
    assert_int_equal(draw.words[DRAW_MEET_POLLS], 1000);
    assert_int_equal(draw.groups, 16);
    assert_true(draw.words[DRAW_SHUFFLE] + 16 <= draw.word_count);
    /* llvmpipe executes loads of loops that are not entered: positions must be inside the buffer, and divisors not
     * 0. */
    assert_true(draw.words[DRAW_TEAM_MAPS] + 3 <= draw.word_count);
    assert_true(draw.words[DRAW_LANE_MAPS] + LANE_MAP_WORDS * kernel.bodies <= draw.word_count);
    assert_true(draw.words[DRAW_CELL_MAPS] + 3 * kernel.locations <= draw.word_count);
    assert_true(draw.words[DRAW_STRESS_LINES] + draw.words[DRAW_STRESS_LINE_COUNT] <= draw.word_count);
    assert_true(draw.words[DRAW_TEAM_MAP_COUNT] > 0 && draw.words[DRAW_STRESS_LINE_COUNT] > 0);
    assert_true(draw.words[DRAW_STRESS_LINE_WORDS] > 0 && draw.words[DRAW_GROUPS] > 0);
    draw_release(&draw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_invariants),     cmocka_unit_test(test_function),
        cmocka_unit_test(test_stamps),         cmocka_unit_test(test_device_gives_sizes_only),
        cmocka_unit_test(test_progress),       cmocka_unit_test(test_results_room),
        cmocka_unit_test(test_too_large),      cmocka_unit_test(test_batch_sizes),
        cmocka_unit_test(test_probe),          cmocka_unit_test(test_paths),
        cmocka_unit_test(test_bank),           cmocka_unit_test(test_cluster_partners),
        cmocka_unit_test(test_cluster_limits), cmocka_unit_test(test_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
