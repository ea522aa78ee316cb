// SPDX-License-Identifier: Apache-2.0
/* Converts numbers to text for people, and back. */
#include "base/quantity.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* DIGITS [. DIGITS] [e [+|-] DIGITS], split into parts so that it can be read exactly. */
struct decimal {
    const char *digits; /* digits of the whole part; digits of the fraction, after the point */
    size_t whole, fraction;
    int exponent;
    const char *end; /* the rest of the text */
};

enum { EXPONENT_LIMIT = 1000 }; /* no accepted number needs more */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t count_digits(const char *text)
{
    size_t count = 0;
    while (is_digit(text[count]))
        count++;
    return count;
}

/* Not strtod, which depends on the locale and accepts signs, blanks, hexadecimal, inf and nan. */
static bool decimal_read(const char *text, struct decimal *decimal)
{
    *decimal = (struct decimal){.digits = text, .whole = count_digits(text)};
    if (decimal->whole == 0)
        return false;
    text += decimal->whole;
    if (*text == '.') {
        const size_t count = count_digits(++text);
        if (count == 0)
            return false;
        decimal->fraction = count;
        while (decimal->fraction > 0 && text[decimal->fraction - 1] == '0')
            decimal->fraction--;
        text += count;
    }
    if (*text == 'e') {
        text++;
        const bool negative = *text == '-';
        if (negative || *text == '+')
            text++;
        if (!is_digit(*text))
            return false;
        for (; is_digit(*text); text++)
            if (decimal->exponent < EXPONENT_LIMIT)
                decimal->exponent = decimal->exponent * 10 + (*text - '0');
        if (negative)
            decimal->exponent = -decimal->exponent;
    }
    decimal->end = text;
    return true;
}

static char decimal_digit(const struct decimal *decimal, size_t index)
{
    return decimal->digits[index < decimal->whole ? index : index + 1];
}

/* The power of ten of a count's suffix, or -1. */
static int count_suffix(const char *suffix)
{
    static const char letters[] = "kMGT";
    if (!*suffix)
        return 0;
    const char *letter = strchr(letters, *suffix == 'K' ? 'k' : *suffix);
    return letter && !suffix[1] ? 3 * (int)(letter - letters + 1) : -1;
}

bool quantity_parse_count(const char *text, uint64_t *count)
{
    struct decimal decimal;
    if (!decimal_read(text, &decimal))
        return false;
    const int suffix = count_suffix(decimal.end);
    if (suffix < 0)
        return false;
    const uint64_t limit = INT64_MAX;
    uint64_t value = 0;
    for (size_t i = 0; i < decimal.whole + decimal.fraction; i++) {
        const uint64_t digit = (uint64_t)(decimal_digit(&decimal, i) - '0');
        if (value > (limit - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    if (value == 0 || decimal.fraction > EXPONENT_LIMIT)
        return false;
    int power = decimal.exponent + suffix - (int)decimal.fraction;
    for (; power > 0; power--) {
        if (value > limit / 10)
            return false;
        value *= 10;
    }
    for (; power < 0; power++) {
        if (value % 10 != 0)
            return false;
        value /= 10;
    }
    *count = value;
    return true;
}

bool quantity_parse_seconds(const char *text, double *seconds)
{
    static const struct {
        const char *suffix;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}};
    struct decimal decimal;
    if (!decimal_read(text, &decimal))
        return false;
    double value = 0;
    for (size_t i = 0; i < decimal.whole + decimal.fraction; i++)
        value = value * 10 + (decimal_digit(&decimal, i) - '0');
    value *= pow(10, decimal.exponent);
    value /= pow(10, (double)decimal.fraction);
    for (size_t i = 0; i < COUNT(units); i++) {
        if (strcmp(decimal.end, units[i].suffix) != 0)
            continue;
        value *= units[i].seconds;
        if (!isfinite(value) || !(value > 0))
            return false;
        *seconds = value;
        return true;
    }
    return false;
}

const char *quantity_count(uint64_t count, char buffer[QUANTITY_SIZE])
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    char *end = buffer;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *end++ = ',';
        *end++ = digits[i];
    }
    *end = '\0';
    return buffer;
}

/* A unit is used only while the number, rounded for it, is below the next unit: never "1000 ms" or "60.0 s". */
const char *quantity_seconds(double seconds, char buffer[QUANTITY_SIZE])
{
    if (!(seconds > 0))
        (void)snprintf(buffer, QUANTITY_SIZE, "0 s");
    else if (seconds < 999.5e-6)
        (void)snprintf(buffer, QUANTITY_SIZE, "%.0f us", seconds * 1e6);
    else if (seconds < 999.5e-3)
        (void)snprintf(buffer, QUANTITY_SIZE, "%.0f ms", seconds * 1e3);
    else if (seconds < 59.95)
        (void)snprintf(buffer, QUANTITY_SIZE, "%.1f s", seconds);
    else if (seconds < 3599.5)
        (void)snprintf(buffer, QUANTITY_SIZE, "%ld min %ld s", lround(seconds) / 60, lround(seconds) % 60);
    else if (seconds < 1e12)
        (void)snprintf(buffer, QUANTITY_SIZE, "%ld h %ld min", lround(seconds / 60) / 60, lround(seconds / 60) % 60);
    else
        (void)snprintf(buffer, QUANTITY_SIZE, "%.3g s", seconds);
    return buffer;
}

/* seconds, rounded to a multiple of `step` seconds. */
static long quantity_round(double seconds, long step)
{
    return lround(seconds / (double)step) * step;
}

const char *quantity_about(double seconds, char buffer[QUANTITY_SIZE])
{
    const long tens = seconds < 1e6 ? quantity_round(seconds, 10) : 0;
    const long minutes = seconds < 1e6 ? quantity_round(seconds, 60) / 60 : 0;
    const long ten_minutes = seconds < 1e6 ? quantity_round(seconds, 600) / 60 : 0;
    if (seconds < 59.5)
        (void)snprintf(buffer, QUANTITY_SIZE, "%ld s", seconds < 1 ? 1 : lround(seconds));
    else if (seconds < 595 && tens % 60 != 0)
        (void)snprintf(buffer, QUANTITY_SIZE, "%ld min %ld s", tens / 60, tens % 60);
    else if (seconds < 3570)
        (void)snprintf(buffer, QUANTITY_SIZE, "%ld min", minutes);
    else if (seconds < 36000 && ten_minutes % 60 != 0)
        (void)snprintf(buffer, QUANTITY_SIZE, "%ld h %ld min", ten_minutes / 60, ten_minutes % 60);
    else
        (void)snprintf(buffer, QUANTITY_SIZE, "%.0f h", fmin(round(seconds / 3600), 1e9));
    return buffer;
}

const char *quantity_short(double value, char buffer[QUANTITY_SIZE])
{
    static const char *const units[] = {"", " k", " M", " G", " T"};
    double scaled = fabs(value);
    int unit = 0;
    while (scaled >= 999.5 && unit < (int)COUNT(units) - 1) {
        scaled /= 1000;
        unit++;
    }
    scaled = copysign(scaled, value);
    const double size = fabs(scaled);
    if (!(size < 999.5) || (unit == 0 && size < 1))
        (void)snprintf(buffer, QUANTITY_SIZE, "%.3g", value);
    else if (unit == 0 && size == floor(size))
        (void)snprintf(buffer, QUANTITY_SIZE, "%.0f", scaled);
    else
        (void)snprintf(buffer, QUANTITY_SIZE, "%.*f%s", size < 9.995 ? 2 : size < 99.95 ? 1 : 0, scaled, units[unit]);
    return buffer;
}
