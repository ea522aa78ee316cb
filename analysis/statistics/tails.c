// SPDX-License-Identifier: Apache-2.0
/* A tail is computed by a continued fraction if a shape is small, and by integrating the density from x outwards if
 * both shapes are large, since then the number of terms of the fraction grows with the root of the shape. The fraction
 * is from DiDonato and Morris, Algorithm 708, ACM TOMS 18 (1992), section 4. Each tail is computed on its own side of
 * the mean; the other is the complement. */
#include "analysis/statistics/statistics.h"

#include <float.h>

static const double large_shape = 1000; /* from here on the density is integrated */

/* log(1 + u) - u, where ratio is 1 + u as exactly as the caller knows it. */
static double log_excess(double u, double ratio)
{
    if (u < -0.5 || u > 0.5)
        return log(ratio) - u;
    const double r = u / (2 + u), square = r * r; /* log(1 + u) = 2 atanh(r), and u - 2r = ru */
    double sum = 0, power = 1;
    for (int i = 3; power / i > DBL_EPSILON / 8; i += 2) {
        sum += power / i;
        power *= square;
    }
    return 2 * r * square * sum - r * u;
}

/* log Gamma(z) minus Stirling's formula. */
static double stirling_error(double z)
{
    static const double terms[] = {1.0 / 12,   -1.0 / 360,        1.0 / 1260, -1.0 / 1680,
                                   1.0 / 1188, -691.0 / 360360.0, 1.0 / 156};
    static const double half_log_two_pi = 0.91893853320467274178;
    int ignored_sign;
    if (z < 16)
        return lgamma_r(z, &ignored_sign) - ((z - 0.5) * log(z) - z + half_log_two_pi);
    double sum = 0;
    for (size_t i = COUNT(terms); i > 0; i--)
        sum = sum / (z * z) + terms[i - 1];
    return sum / z;
}

/* A distribution with what its density needs at every place. */
struct tails_law {
    double a, b;
    double factor; /* of the density, at the mean */
};

static struct tails_law tails_prepare(double a, double b)
{
    static const double two_pi = 6.28318530717958647693;
    const double s = a + b;
    return (struct tails_law){
        a, b, sqrt(a * (b / s) / two_pi) * exp(stirling_error(s) - stirling_error(a) - stirling_error(b))};
}

/* A place on the axis: x, the distance from x to 1, and from the mean to x. */
struct tail_point {
    double x, y, distance;
};

static double tails_mean_of(const struct tails_law *law)
{
    return law->a / (law->a + law->b);
}

static double deviation_of(const struct tails_law *law)
{
    const double a = law->a, b = law->b, s = a + b;
    return sqrt(a / s * (b / s) / (s + 1));
}

static struct tail_point place_at(const struct tails_law *law, double x)
{
    return (struct tail_point){x, 1 - x, x - tails_mean_of(law)};
}

/* x^a y^b / B(a, b): the density times xy. */
static double kernel_at(const struct tails_law *law, struct tail_point place)
{
    const double a = law->a, b = law->b, s = a + b;
    const double p = a / s, q = b / s;
    return law->factor *
           exp(a * log_excess(place.distance / p, place.x / p) + b * log_excess(-place.distance / q, place.y / q));
}

static double density_at(const struct tails_law *law, struct tail_point place)
{
    return kernel_at(law, place) / (place.x * place.y);
}

/* The integral of the density from place outwards, away from the mean, in pieces of two standard deviations, each by a
 * 16-point Gauss-Legendre rule. */
static double integrate(const struct tails_law *law, struct tail_point place, bool below)
{
    static const double nodes[] = {0.0950125098376374, 0.2816035507792589, 0.4580167776572274, 0.6178762444026438,
                                   0.7554044083550030, 0.8656312023878318, 0.9445750230732326, 0.9894009349916499};
    static const double weights[] = {0.1894506104550685, 0.1826034150449236, 0.1691565193950025, 0.1495959888165767,
                                     0.1246289712555339, 0.0951585116824928, 0.0622535239386479, 0.0271524594117541};
    const double width = 2 * deviation_of(law);
    double sum = 0, piece;
    double middle = below ? -width / 2 : width / 2; /* as a distance from place */
    do {
        piece = 0;
        for (int i = 0; i < 16; i++) {
            const double step = middle + (i % 2 ? 1 : -1) * nodes[i / 2] * width / 2;
            const struct tail_point node = {place.x + step, place.y - step, place.distance + step};
            if (node.x > 0 && node.y > 0)
                piece += weights[i / 2] * density_at(law, node) * width / 2;
        }
        sum += piece;
        middle += below ? -width : width;
    } while (piece > sum * DBL_EPSILON / 16);
    return sum;
}

/* The lower tail, for a place below the mean. */
static double beta_fraction(const struct tails_law *law, struct tail_point place)
{
    enum { MAXIMUM_TERMS = 20000 };
    const double a = law->a, b = law->b, x = place.x, y = place.y;
    const double offset = 1 - (a + b) * place.distance;
    double numerator[2] = {0, 1}, denominator[2] = {1, a / (a + 1) * offset};
    double fraction = numerator[1] / denominator[1], before;
    int n = 1;
    do {
        const double odd = a + 2 * n - 1;
        const double alpha = (a + n - 1) / odd * ((a + b + n - 1) / odd) * n * (b - n) * x * x;
        const double beta = n + n * (b - n) * x / odd + (a + n) / (odd + 2) * (offset + n * (1 + y));
        const double next_numerator = beta * numerator[1] + alpha * numerator[0];
        const double next_denominator = beta * denominator[1] + alpha * denominator[0];
        numerator[0] = numerator[1] / next_denominator;
        denominator[0] = denominator[1] / next_denominator;
        numerator[1] = next_numerator / next_denominator;
        denominator[1] = 1;
        before = fraction;
        fraction = numerator[1];
    } while (fabs(fraction - before) > DBL_EPSILON * fraction && ++n < MAXIMUM_TERMS);
    return kernel_at(law, place) * fraction;
}

/* The tail from place outwards: below it if it is below the mean, else above it. */
static double outer_tail(const struct tails_law *law, struct tail_point place)
{
    const bool below = place.distance <= 0;
    const struct tails_law turned = {law->b, law->a, law->factor};
    if (law->a >= large_shape && law->b >= large_shape)
        return integrate(law, place, below);
    /* The same place seen from 1: in the distribution with a and b exchanged. */
    return below ? beta_fraction(law, place)
                 : beta_fraction(&turned, (struct tail_point){place.y, place.x, -place.distance});
}

static double tail(const struct tails_law *law, struct tail_point place, bool below)
{
    if (place.x <= 0 || place.y <= 0)
        return (place.x <= 0) == below ? 0 : 1;
    const double outer = outer_tail(law, place);
    return (place.distance <= 0) == below ? outer : 1 - outer;
}

double tails_beta_below(double a, double b, double x)
{
    const struct tails_law law = tails_prepare(a, b);
    return tail(&law, place_at(&law, x), true);
}

/* The quantile of the normal approximation, or the mean if that is useless. */
static double start_at(const struct tails_law *law, double p, bool below)
{
    const double mean = tails_mean_of(law), reach = statistics_normal_above(p) * deviation_of(law);
    const double start = below ? mean - reach : mean + reach;
    return start > mean / 2 && start < (1 + mean) / 2 ? start : mean;
}

/* Newton's method on the logarithm of the tail, which is concave: in log x for a lower tail (a power of x far out) and
 * in x for an upper one (nearly exponential). The bracket is halved if a step would leave it. */
static double solve(const struct tails_law *law, double p, bool below)
{
    double low = 0, high = 1, x = start_at(law, p, below);
    const double deviation = deviation_of(law);
    for (int i = 0; i < 200; i++) {
        const struct tail_point place = place_at(law, x);
        const double reached = tail(law, place, below);
        const double slope = density_at(law, place) / reached * (below ? 1 : -1);
        const double miss = log(reached / p);
        if ((reached > p) == below)
            high = x;
        else
            low = x;
        double next = below ? x * exp(-miss / (slope * x)) : x - miss / slope;
        /* The error after a step is of the order of its square. Checked first, because in the end rounding decides on
         * which side of p x is. */
        if (fabs(next - x) <= 4 * DBL_EPSILON * x || pow(next - x, 2) <= DBL_EPSILON / 4 * x * fmin(x, deviation))
            return next;
        if (!(next > low && next < high))
            next = low > 0 ? sqrt(low * high) : high / 16;
        x = next;
    }
    return x;
}

/* The x with probability p below it, or above it; 0 < p < 1, a, b >= 1. Relative error about 1e-14. If the mean is
 * above a half, solve from 1, so that the distance is a small number. */
static double quantile(double a, double b, double p, bool below)
{
    const bool turn = a > b;
    const struct tails_law law = turn ? tails_prepare(b, a) : tails_prepare(a, b);
    return turn ? 1 - solve(&law, p, !below) : solve(&law, p, below);
}

/* ---- the normal distribution ---- */

double statistics_normal_above(double p)
{
    static const double root_two = 1.41421356237309504880, root_two_pi = 2.50662827463100050242;
    if (p > 0.5)
        return -statistics_normal_above(1 - p);
    double x = p < 0.4 ? sqrt(-2 * log(2 * p)) : 0;
    for (int i = 0; i < 100; i++) {
        const double reached = erfc(x / root_two) / 2;
        const double step = log(reached / p) * reached * root_two_pi * exp(x * x / 2);
        x += step;
        if (fabs(step) <= 4 * DBL_EPSILON * fabs(x))
            break;
    }
    return x;
}

/* ---- exact intervals and bounds of one rate ---- */

struct interval statistics_binomial(uint64_t count, uint64_t n, double confidence)
{
    const double tail = (1 - confidence) / 2, k = (double)count, rest = (double)(n - count);
    struct interval interval = {0, 1};
    if (n == 0)
        return interval;
    /* Beta(n, 1) and Beta(1, n) have their quantiles in closed form. */
    if (count == n)
        interval.low = exp(log(tail) / k);
    else if (count > 0)
        interval.low = quantile(k, rest + 1, tail, true);
    if (count == 0)
        interval.high = -expm1(log(tail) / rest);
    else if (count < n)
        interval.high = quantile(k + 1, rest, tail, false);
    return interval;
}

double statistics_zero_bound(uint64_t n, double confidence)
{
    return n > 0 ? -expm1(log1p(-confidence) / (double)n) : 1;
}

double statistics_count_for(double confidence)
{
    return -log1p(-confidence);
}

/* ---- Student's distribution ---- */

double statistics_student_tail(double t, double freedom)
{
    const double above = tails_beta_below(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2;
    return t >= 0 ? above : 1 - above;
}

/* The tail falls with t, and its logarithm nearly linearly in log t: bisection in the logarithm converges quickly. */
double statistics_student_above(double p, double freedom)
{
    if (p >= 0.5)
        return p > 0.5 ? -statistics_student_above(1 - p, freedom) : 0;
    double low = 0, high = 1;
    while (statistics_student_tail(high, freedom) > p && high < 1e300)
        high *= 4;
    for (int i = 0; i < 200 && high - low > 2 * DBL_EPSILON * high; i++) {
        const double middle = low > 0 && high > 16 * low ? sqrt(low * high) : (low + high) / 2;
        if (statistics_student_tail(middle, freedom) > p)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}
