// SPDX-License-Identifier: Apache-2.0
/* Protects the memory layout of asynchronous operations and of vectors: copied locations have whole units of 16 bytes
 * at multiples of 16 bytes under every stride, vectors are aligned to their size, elements of both are adjacent,
 * mbarriers are at multiples of 8 bytes, and nothing overlaps. Also: groups that access each other's memory meet only
 * in their cluster; and only kernels whose threads wait at mbarriers have the barrier that first reconverges a warp. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/allocation.h"
#include "runner/environment/environment.h"
#include "tests/kernel/fixture.h"

enum { MAXIMUM_STRIDE = 9 };

/* A test's allocation and its kernel. */
struct planned {
    struct litmus_test *test;
    struct backend_device device;
    struct kernel laid, kernel;
    struct allocation allocation;
};

static void planned_make(struct planned *planned, const char *text)
{
    struct error error;
    *planned = (struct planned){.device = fixture_device("ptx")};
    planned->test = fixture_parse("async", text);
    assert_int_equal(kernel_generate(planned->test, &planned->device, NULL, false, &planned->kernel, &error),
                     STATUS_OK);
    planned->laid.lowering = planned->kernel.lowering;
    assert_int_equal(allocation_make(planned->test, &planned->device, &planned->laid, &planned->allocation, &error),
                     STATUS_OK);
}

static void planned_release(struct planned *planned)
{
    allocation_release(&planned->allocation);
    kernel_release(&planned->kernel);
    litmus_release(planned->test);
}

/* ---- places ---- */

/* Byte of an element of an instance's cell, in local or in global memory. */
static size_t place_of(const struct planned *planned, unsigned location, uint32_t element, size_t instance,
                       size_t stride)
{
    const struct kernel *kernel = &planned->kernel;
    const bool local = planned->test->locations[location].region == LITMUS_LOCAL;
    const size_t start = local ? LOCAL_HISTOGRAM + kernel->histogram_words : 0; /* DRAW_CELLS: below */
    const size_t words = local ? kernel->local_cells : kernel->cell_words;
    return 4 * (start + (instance * words + allocation_cell(&planned->allocation, location, element)) * stride +
                allocation_step(&planned->allocation, location, element));
}

/* The size of one piece of a location in bytes. */
static size_t room_of(const struct planned *planned, unsigned location)
{
    const struct litmus_location *own = &planned->test->locations[location];
    if (planned->allocation.async.room[location] > 0)
        return 4 * (size_t)planned->allocation.async.room[location];
    return own->type == LITMUS_MBARRIER ? 8 : litmus_type_size(own->type);
}

/* The number of separately placed pieces of a location: 1 if it is copied, else its elements. */
static uint32_t pieces_of(const struct planned *planned, unsigned location)
{
    return planned->allocation.async.room[location] > 0 ? 1 : planned->test->locations[location].elements;
}

/* Checks that two locations have no common bytes, in the same instance or its neighbour. */
static void check_apart(const struct planned *planned, unsigned a, unsigned b, size_t stride)
{
    const struct litmus_location *one = &planned->test->locations[a], *other = &planned->test->locations[b];
    for (uint32_t i = 0; i < pieces_of(planned, a) && one->region == other->region; i++)
        for (uint32_t k = 0; k < pieces_of(planned, b); k++)
            for (size_t instance = 0; instance < 2; instance++) {
                const size_t p = place_of(planned, a, i, 0, stride), q = place_of(planned, b, k, instance, stride);
                const bool same = a == b && i == k && instance == 0;
                assert_true(same || p + room_of(planned, a) <= q || q + room_of(planned, b) <= p);
            }
}

static void check_places(const struct planned *planned)
{
    for (size_t stride = 1; stride <= MAXIMUM_STRIDE; stride++)
        for (unsigned l = 0; l < planned->test->location_count; l++) {
            const struct litmus_location *location = &planned->test->locations[l];
            const size_t size = litmus_type_size(location->type);
            const bool copied = planned->allocation.async.room[l] > 0;
            const struct allocation_vectored *vectored = &planned->allocation.vectored[l];
            const bool in_a_row = copied || vectored->room > 0;
            for (size_t instance = 0; instance < 3; instance++) {
                const size_t first = place_of(planned, l, 0, instance, stride);
                assert_int_equal(first % (copied ? 16 : vectored->room > 0 ? 4 * vectored->alignment : size), 0);
                for (uint32_t e = 0; in_a_row && e < location->elements; e++)
                    assert_int_equal(place_of(planned, l, e, instance, stride), first + e * (size < 4 ? 4 : size));
            }
            for (unsigned other = 0; other < planned->test->location_count; other++)
                check_apart(planned, l, other, stride);
        }
}

static const struct {
    const char *text;
    unsigned alignment;
    unsigned rooms[6]; /* words by location; 0 if it is not copied */
} places[] = {
    {"PTX t\n{ x=0; u=0; shared s=0; }\n P0@cta 0,gpu 0 ;\n st.weak x, 1 ;\nexists (x=0)\n", 2, {0}},
    {"PTX t\n{ u=0; x=0; shared v=0; shared s=0; }\n P0@cta 0,gpu 0 ;\n"
     " cp.async.bulk.global.shared::cta.bulk_group [x], [s], 16 ;\nexists (x=0 /\\ u=0 /\\ v=0)\n",
     4,
     {0, 4, 0, 4}},
    {"PTX t\n{ uchar u=0; uint x[9]; ulong w=0; shared v=0; shared uint s[6]; mbarrier m=1; }\n P0@cta 0,gpu 0 ;\n"
     " cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [x[4]], 16, [m] ;\n"
     " st.weak w, 1 ;\n st.weak u, 1 ;\n st.weak.shared v, 1 ;\nexists (x[0]=0)\n",
     4,
     {0, 12, 0, 0, 8, 0}},
    {"PTX t\n{ u=0; x=0; shared v=0; shared s=0; }\n P0@cta 0,gpu 0 ;\n cp.async.ca.shared.global [s], [x], 4 ;\n"
     " st.weak.shared v, 1 ;\nexists (u=0)\n",
     4,
     {0, 4, 0, 4}},
    {"PTX t\n{ shared v=0; mbarrier m=1; shared w=0; mbarrier n=1; }\n P0@cta 0,gpu 0 ;\n"
     " mbarrier.arrive.shared.b64 _, [m] ;\n mbarrier.arrive.shared.b64 _, [n] ;\n st.weak.shared v, 1 ;\nexists (w=0)\n",
     2,
     {0}},
    /* Vectors of one location, in either order. */
    {"PTX t\n{ u=0; uint x[6]; P0:r9=2; }\n P0@cta 0,gpu 0 ;\n st.weak.v4.u32 [x], {1, 1, 1, 1} ;\n"
     " st.weak.v2.u32 [x[4]], {2, 2} ;\n st.weak.v2.u32 [x[r9]], {3, 3} ;\nexists (x[0]=0 /\\ u=0)\n",
     8,
     {0}},
    {"PTX t\n{ u=0; uint x[6]; }\n P0@cta 0,gpu 0 ;\n st.weak.v2.u32 [x[4]], {2, 2} ;\n"
     " st.weak.v4.u32 [x], {1, 1, 1, 1} ;\nexists (x[0]=0 /\\ u=0)\n",
     8,
     {0}},
    {"PTX t\n{ u=0; long x[4]; }\n P0@cta 0,gpu 0 ;\n atom.relaxed.gpu.cas.b128 {r0, r1}, [x[2]], {0, 0}, {1, 1} ;\n"
     " st.weak.v2.u64 [x], {1, 1} ;\nexists (x[0]=0 /\\ u=0)\n",
     8,
     {0}},
};

static void test_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct planned planned;
        planned_make(&planned, places[i].text);
        assert_int_equal(planned.kernel.alignment, places[i].alignment);
        for (unsigned l = 0; l < planned.test->location_count; l++)
            assert_int_equal(planned.allocation.async.room[l], places[i].rooms[l]);
        check_places(&planned);
        planned_release(&planned);
    }
}

/* ---- draws ---- */

static const char bulk[] = "PTX t\n{ u=0; x=0; shared s=0; P0:r0=0; }\n P0@cta 0,gpu 0 ;\n ld.weak r0, u ;\n"
                           " cp.async.bulk.global.shared::cta.bulk_group [x], [s], 16 ;\nexists (0:r0=1)\n";
static const char remote[] = "PTX t\n{ shared d@cta 1=0; P1:r0=0; }\n"
                             " P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 ;\n"
                             " st.relaxed.cluster.shared::cluster d, 1 | ld.relaxed.cluster.shared r0, d ;\n"
                             "exists (P1:r0=1)\n";
static const char near[] = "PTX t\n{ x=0; P1:r0=0; }\n P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 ;\n"
                           " st.relaxed.cluster x, 1 | ld.relaxed.cluster r0, x ;\nexists (P1:r0=1)\n";
static const char lonely[] = "PTX t\n{ x=0; P0:r0=0; }\n P0@cta 0,gpu 0 ;\n barrier.cluster.arrive ;\n"
                             " barrier.cluster.wait ;\n ld.relaxed.gpu r0, x ;\nexists (P0:r0=1)\n";

static void make_draw(const struct planned *planned, uint64_t batch, struct draw *draw)
{
    struct environment environment;
    struct error error;
    const struct draw_limits limits = {.resident_groups = 63, /* odd, like the size, so the number of results is odd */
                                       .max_group_size = 255,
                                       .sub_group_size = 32,
                                       .max_cluster_groups = 8,
                                       .local_bytes = 48 * 1024};
    environment_default(&planned->device, &environment);
    environment.meet_all_chance = (struct environment_range){100, 100};
    environment.cluster_chance = (struct environment_range){100, 100};
    environment.cluster_groups = (struct environment_range){4, 4};
    environment.stride = (struct environment_range){1, 7};
    assert_int_equal(draw_make(&environment, &planned->kernel, &limits, 1, 2, batch, draw, &error), STATUS_OK);
}

/* The cells start at their alignment, whatever the number of results before them. */
static void test_cells_start(void **state)
{
    struct planned planned;
    (void)state;
    planned_make(&planned, bulk);
    assert_int_not_equal(planned.kernel.result_words % 4, 0);
    for (uint64_t batch = 0; batch < 50; batch++) {
        struct draw draw;
        make_draw(&planned, batch, &draw);
        assert_int_equal(draw.words[DRAW_CELLS] % 4, 0);
        draw_release(&draw);
    }
    planned_release(&planned);
}

static void check_meetings(const char *text, bool in_clusters, bool meets_all, uint32_t cluster_groups)
{
    struct planned planned;
    struct draw draw;
    planned_make(&planned, text);
    make_draw(&planned, 1, &draw);
    assert_int_equal(planned.kernel.in_clusters, in_clusters);
    assert_int_equal(strstr(planned.kernel.source, "#define IN_CLUSTERS\n") != NULL, in_clusters);
    assert_int_equal(draw.requested[DRAW_MEET_ALL_REQUESTED], meets_all);
    assert_int_equal(draw.cluster_groups, cluster_groups);
    draw_release(&draw);
    planned_release(&planned);
}

/* A group may not leave while others of its cluster access its memory, so all meetings are of the cluster. A cluster
 * barrier is for the test's cluster, not for a larger one that the environment draws. */
static void test_meetings(void **state)
{
    (void)state;
    check_meetings(remote, true, false, 2);
    check_meetings(near, false, true, 2);
    check_meetings(bulk, false, false, 4); /* one work-group: no meetings */
    check_meetings(lonely, false, false, 1);
}

static bool has_item_barriers(const char *text)
{
    struct planned planned;
    planned_make(&planned, text);
    const bool found = strstr(planned.kernel.source, "#define group_barrier() item_barrier()\n") != NULL;
    planned_release(&planned);
    return found;
}

static void test_barriers(void **state)
{
    (void)state;
    assert_true(has_item_barriers("PTX waits\n{ shared s=0; mbarrier m=1; }\n P0@cta 0,gpu 0 ;\n"
                                  " mbarrier.try_wait.parity.shared.b64 r0, [m], 0 ;\nexists (0:r0=1)\n"));
    assert_false(has_item_barriers("PTX copies\n{ x=1; shared s=0; }\n P0@cta 0,gpu 0 ;\n"
                                   " cp.async.ca.shared.global [s], [x], 4 ;\n cp.async.wait_all ;\n"
                                   " ld.weak r0, s ;\nexists (0:r0=0)\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_cells_start),
        cmocka_unit_test(test_meetings),
        cmocka_unit_test(test_barriers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
