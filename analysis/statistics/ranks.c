// SPDX-License-Identifier: Apache-2.0
/* Tests by ranks. Ranks are doubled, so that the mean ranks of ties are whole numbers, and the number of permutations
 * that give a sum of ranks is counted by adding one batch at a time (the usual recurrence for tables of these tests,
 * which also holds with ties). */
#include "analysis/statistics/statistics.h"
#include "base/random.h"

enum {
    EXACT_SINGLES = 40, /* batches in addition to the largest group of ties, for an exact rank sum */
    EXACT_PAIRS = 50
};
static const size_t exact_cells = 500000; /* entries of the table of sums; 4 MB */

WORDS_OF(statistics_method_name, enum statistics_method, "none", "rank sum, exact", "rank sum, normal",
         "signed rank, exact", "signed rank, normal")

/* ---- thinning ---- */

/* How many of `count` special items are among `drawn` of n drawn at random; for large numbers by the normal
 * approximation. */
static uint64_t thin(uint64_t count, uint64_t n, uint64_t drawn, struct random *random)
{
    enum { ONE_BY_ONE = 256 };
    const double share = (double)drawn / (double)n;
    const uint64_t least = count + drawn > n ? count + drawn - n : 0, most = count < drawn ? count : drawn;
    if (n <= drawn || count == 0)
        return count;
    if (count <= ONE_BY_ONE) {
        uint64_t kept = 0;
        for (uint64_t i = 0; i < count; i++) {
            const double chance = (double)(drawn - kept) / (double)(n - i);
            if ((double)(random_next(random) >> 11) * 0x1p-53 < chance)
                kept++;
        }
        return kept;
    }
    const double deviation = sqrt((double)count * share * (1 - share) * (double)(n - count) / (double)(n - 1));
    const double u = ((double)(random_next(random) >> 11) + 0.5) * 0x1p-53;
    const double v = (double)(random_next(random) >> 11) * 0x1p-53;
    const double value = (double)count * share + deviation * sqrt(-2 * log(u)) * cos(6.28318530717958647693 * v);
    return value <= (double)least ? least : value >= (double)most ? most : (uint64_t)llround(value);
}

static const double equal_sizes = 1.05; /* larger ratios are thinned, smaller ones do not matter */

/* A rate to be ranked. Batches of nearly the usual size are treated as having that size: otherwise a tiny difference
 * would break every tie of their counts, always to the same side. */
static double rate_at(const struct statistics_batch *batch, double usual)
{
    const double size = (double)batch->n;
    return (double)batch->count / (size <= usual * equal_sizes && size >= usual / equal_sizes ? usual : size);
}

static struct statistics_batch thinned(const struct statistics_batch *batch, double share, struct random *random)
{
    uint64_t drawn = (uint64_t)llround((double)batch->n * share);
    drawn = drawn < 1 ? 1 : drawn > batch->n ? batch->n : drawn;
    return (struct statistics_batch){thin(batch->count, batch->n, drawn, random), drawn};
}

/* ---- ranks ---- */

struct ranked_value {
    double value;
    bool of_b; /* or, in pairs: b is larger */
    long rank; /* doubled; until it is known, 0 */
};

ORDERED_BY(compare_items, const struct ranked_value, ORDER(a->value, b->value) ?: ORDER(a->rank, b->rank))

struct ties {
    size_t first, size; /* of the largest group */
    double cubes;       /* sum of t^3 - t over all groups */
};

/* Sorts the items and sets each one's doubled mean rank. */
static struct ties rank_items(struct ranked_value *items, size_t count)
{
    struct ties ties = {0, 0, 0};
    SORT(items, count, compare_items);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && items[end].value <= items[first].value;)
            end++;
        const double size = (double)(end - first);
        for (size_t i = first; i < end; i++)
            items[i].rank = (long)(first + 1 + end);
        ties.cubes += size * (size * size - 1);
        if (end - first > ties.size) {
            ties.first = first;
            ties.size = end - first;
        }
    }
    return ties;
}

static double log_choose(double n, double k)
{
    int ignored_sign;
    return lgamma_r(n + 1, &ignored_sign) - lgamma_r(k + 1, &ignored_sign) - lgamma_r(n - k + 1, &ignored_sign);
}

static double two_sided(double below, double above)
{
    return fmin(1, 2 * fmin(below, above));
}

/* The two-sided p of a deviation from the mean, with half a step (steps are of `step`) for continuity. */
static double normal_p(double deviation, double deviation_step, double variance)
{
    const double distance = fmax(0, fabs(deviation) - deviation_step / 2);
    return variance > 0 ? erfc(distance / sqrt(2 * variance)) : 1;
}

/* ---- the rank sum ---- */

/* ways[chosen][sum]: how many sets of `chosen` of the single items have this sum of ranks above `base` each; NULL if
 * there are too many to count. */
struct rank_sums {
    double *ways;
    size_t singles, width;
    long base;
};

static struct rank_sums count_sums(const struct ranked_value *items, size_t count, struct ties ties)
{
    struct rank_sums sums = {.singles = count - ties.size, .base = items[0].rank};
    size_t width = 1;
    if (ties.first == 0 && ties.size < count)
        sums.base = items[ties.size].rank;
    for (size_t i = 0; i < count; i++)
        if (i < ties.first || i >= ties.first + ties.size)
            width += (size_t)(items[i].rank - sums.base);
    sums.width = width;
    if (sums.singles > EXACT_SINGLES || (sums.singles + 1) * width > exact_cells)
        return sums;
    sums.ways = memory_take((sums.singles + 1) * width, sizeof *sums.ways);
    sums.ways[0] = 1;
    size_t done = 0, reached = 0;
    for (size_t i = 0; i < count; i++) {
        if (i >= ties.first && i < ties.first + ties.size)
            continue;
        const size_t step = (size_t)(items[i].rank - sums.base);
        for (size_t chosen = ++done; chosen > 0; chosen--)
            for (size_t sum = 0; sum <= reached; sum++)
                sums.ways[chosen * width + sum + step] += sums.ways[(chosen - 1) * width + sum];
        reached += step;
    }
    return sums;
}

/* The exact two-sided p of b's doubled rank sum, from the ways of the singles and the binomials of the tied. */
static double exact_rank_sum(const struct rank_sums *sums, long tied_rank, size_t tied, size_t count, size_t of_b,
                             long found)
{
    const double all = log_choose((double)count, (double)of_b);
    double below = 0, above = 0;
    for (size_t chosen = 0; chosen <= sums->singles && chosen <= of_b; chosen++) {
        const size_t rest = of_b - chosen; /* of the tied */
        if (rest > tied)
            continue;
        const double weight = exp(log_choose((double)tied, (double)rest) - all);
        for (size_t sum = 0; sum < sums->width; sum++) {
            const double ways = sums->ways[chosen * sums->width + sum];
            if (ways <= 0)
                continue;
            const long total = (long)sum + (long)chosen * sums->base + (long)rest * tied_rank;
            const double chance = weight * ways;
            below += total <= found ? chance : 0;
            above += total >= found ? chance : 0;
        }
    }
    return two_sided(below, above);
}

static void rank_sum(struct ranked_value *items, size_t count, size_t of_b, struct statistics_test *test)
{
    const struct ties ties = rank_items(items, count);
    test->smallest_p = fmin(1, 2 * exp(-log_choose((double)count, (double)of_b)));
    if (ties.size == count)
        return;
    long found = 0;
    for (size_t i = 0; i < count; i++)
        found += items[i].of_b ? items[i].rank : 0;
    struct rank_sums sums = count_sums(items, count, ties);
    if (sums.ways) {
        test->method = STATISTICS_RANK_SUM_EXACT;
        test->p = exact_rank_sum(&sums, items[ties.first].rank, ties.size, count, of_b, found);
    } else {
        const double n = (double)count, m = (double)of_b;
        test->method = STATISTICS_RANK_SUM_NORMAL;
        test->p =
            normal_p((double)found / 2 - m * (n + 1) / 2, 1, m * (n - m) / 12 * (n + 1 - ties.cubes / (n * (n - 1))));
    }
    free(sums.ways);
}

static double mean_size(const struct statistics_batch *batches, size_t count)
{
    const double sum = SUM_OF(double, batch, batches, count, (double)batch->n);
    return sum / (double)count;
}

struct statistics_test statistics_compare(const struct statistics_batch *a, size_t a_count,
                                          const struct statistics_batch *b, size_t b_count, uint64_t seed)
{
    struct statistics_test test = {.method = STATISTICS_NONE, .p = 1, .smallest_p = 1};
    if (a_count == 0 || b_count == 0)
        return test;
    FREED struct ranked_value *items = memory_take(a_count + b_count, sizeof *items);
    struct random random = random_start(seed, 0, 0, 0);
    const double larger = mean_size(b, b_count) / mean_size(a, a_count);
    const double usual = larger > 1 ? mean_size(a, a_count) : mean_size(b, b_count);
    for (size_t i = 0; i < a_count + b_count; i++) {
        const bool of_b = i >= a_count;
        const struct statistics_batch *batch = of_b ? &b[i - a_count] : &a[i];
        const double share = of_b ? 1 / larger : larger;
        const struct statistics_batch used = share < 1 / equal_sizes ? thinned(batch, share, &random) : *batch;
        items[i] = (struct ranked_value){.value = rate_at(&used, usual), .of_b = of_b};
    }
    rank_sum(items, a_count + b_count, b_count, &test);
    return test;
}

/* ---- the signed rank ---- */

/* The chance of each sum of the doubled ranks of pairs that are larger on one side. */
static double *count_signs(const struct ranked_value *items, size_t count, size_t all)
{
    double *chances = memory_take(all + 1, sizeof *chances);
    chances[0] = 1;
    size_t reached = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t step = (size_t)items[i].rank;
        reached += step;
        for (size_t sum = reached + 1; sum-- > 0;)
            chances[sum] = chances[sum] / 2 + (sum >= step ? chances[sum - step] / 2 : 0);
    }
    return chances;
}

static void signed_rank(struct ranked_value *items, size_t count, struct statistics_test *test)
{
    if (count == 0)
        return;
    const struct ties ties = rank_items(items, count);
    size_t found = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        found += items[i].of_b ? (size_t)items[i].rank : 0;
        all += (size_t)items[i].rank;
    }
    if (count > EXACT_PAIRS) {
        const double n = (double)count;
        test->method = STATISTICS_SIGNED_RANK_NORMAL;
        test->p = normal_p((double)found / 2 - (double)all / 4, 1, n * (n + 1) * (2 * n + 1) / 24 - ties.cubes / 48);
        return;
    }
    double below = 0, above = 0, *chances = count_signs(items, count, all);
    for (size_t sum = 0; sum <= all; sum++) {
        below += sum <= found ? chances[sum] : 0;
        above += sum >= found ? chances[sum] : 0;
    }
    test->method = STATISTICS_SIGNED_RANK_EXACT;
    test->p = two_sided(below, above);
    free(chances);
}

struct statistics_test statistics_compare_pairs(const struct statistics_batch *a, const struct statistics_batch *b,
                                                size_t count, uint64_t seed)
{
    struct random random = random_start(seed, 1, 0, 0);
    FREED struct ranked_value *items = memory_take(count, sizeof *items);
    struct statistics_test test = {.method = STATISTICS_NONE, .p = 1};
    size_t used = 0;
    test.smallest_p = fmin(1, ldexp(1, count < 1000 ? 1 - (int)count : -1000));
    for (size_t i = 0; i < count; i++) {
        const double larger = (double)b[i].n / (double)a[i].n;
        const struct statistics_batch of_a = larger < 1 / equal_sizes ? thinned(&a[i], larger, &random) : a[i];
        const struct statistics_batch of_b = larger > equal_sizes ? thinned(&b[i], 1 / larger, &random) : b[i];
        const double usual = ((double)of_a.n + (double)of_b.n) / 2;
        const double a_rate = rate_at(&of_a, usual), b_rate = rate_at(&of_b, usual);
        const double difference = b_rate - a_rate;
        const double size = (double)of_a.n + (double)of_b.n;
        if (difference < 0 || difference > 0)
            items[used++] = (struct ranked_value){.value = fabs(difference) * sqrt(size / (a_rate + b_rate)),
                                                  .of_b = difference > 0};
    }
    signed_rank(items, used, &test);
    return test;
}

/* ---- p values of many tests at once ---- */

static double weight_of(const double *weights, size_t position)
{
    return weights ? weights[position] : 1;
}

void statistics_holm(double *p, const double *weights, size_t count)
{
    /* By p over the weight, then by position. */
    FREED struct ranked_value *order = memory_take(count, sizeof *order);
    double largest = 0, left = 0;
    for (size_t i = 0; i < count; i++) {
        order[i] = (struct ranked_value){.value = p[i] / weight_of(weights, i), .rank = (long)i};
        left += weight_of(weights, i);
    }
    SORT(order, count, compare_items);
    for (size_t i = 0; i < count; i++) {
        const size_t position = (size_t)order[i].rank;
        largest = fmax(largest, fmin(1, order[i].value * fmax(left, weight_of(weights, position))));
        left -= weight_of(weights, position);
        p[position] = largest;
    }
}
