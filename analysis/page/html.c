// SPDX-License-Identifier: Apache-2.0
/* Pages: their frame, and numbers, links and lines in them. */
#include "analysis/page/html.h"

/* Digits of a rate and of an interval, which has more if it is narrow; of a bound, which is a round number already. */
enum { SHOWN_DIGITS = 3, MOST_DIGITS = 9, BOUND_DIGITS = 2 };

extern const char page_style[], page_script[]; /* analysis/page/page.css and page.js */

void html_escape_from(struct text *text, size_t size)
{
    FREED char *words = memory_copy(text_string(text) + size);
    text->size = size;
    html_add(text, "$", words);
}

void html_add_lines(struct text *text, const char *from, size_t most)
{
    const char *end = from + strnlen(from, most);
    while (from < end) {
        const bool kept = *from == '\n' || *from == '\t';
        if (kept)
            text_add_bytes(text, from, 1);
        if (kept || (*from == '\r' && from[1] == '\n'))
            from++;
        else
            from += escape_add_some(text, ESCAPE_HTML, from, (size_t)(end - from));
    }
    if (*from) {
        html_add(text, "\n[... $ bytes more]", QUANTITY_COUNT(strlen(from)));
    }
}

bool html_add_anchor(struct text *text, const char *from)
{
    static const char kept[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._";
    bool other = false;
    for (; *from; from++) {
        const bool keep = strchr(kept, *from) != NULL;
        text_add_bytes(text, keep ? from : "_", 1);
        other |= !keep;
    }
    return other;
}

/* ---- numbers ---- */

/* As many significant digits, zeros at the end too: "0.0100", "9.91e-3", "12.0". Below 0.01 with an exponent, without
 * the zeros that printf gives it; from 1,000 up as a whole number. */
static const char *print_rate(double rate, int digits, char buffer[HTML_NUMBER_SIZE])
{
    char mantissa[HTML_NUMBER_SIZE];
    if (!(rate > 0)) {
        (void)snprintf(buffer, HTML_NUMBER_SIZE, "0");
        return buffer;
    }
    (void)snprintf(mantissa, sizeof mantissa, "%.*e", digits - 1, rate);
    char *exponent = strchr(mantissa, 'e');
    if (!exponent) { /* infinite, or not a number */
        (void)snprintf(buffer, HTML_NUMBER_SIZE, "%g", rate);
        return buffer;
    }
    const long power = strtol(exponent + 1, NULL, 10);
    *exponent = '\0';
    if (power < -2)
        (void)snprintf(buffer, HTML_NUMBER_SIZE, "%.20se%ld", mantissa, power);
    else if (power < 18)
        (void)snprintf(buffer, HTML_NUMBER_SIZE, "%.*f", digits - 1 > power ? digits - 1 - (int)power : 0, rate);
    else
        (void)snprintf(buffer, HTML_NUMBER_SIZE, "%.3g", rate);
    return buffer;
}

const char *html_rate(double rate, char buffer[HTML_NUMBER_SIZE])
{
    return print_rate(rate, SHOWN_DIGITS, buffer);
}

const char *html_interval(struct interval interval, char buffer[2 * HTML_NUMBER_SIZE])
{
    char low[HTML_NUMBER_SIZE], high[HTML_NUMBER_SIZE];
    const double width = interval.high - interval.low;
    int digits = SHOWN_DIGITS;
    if (isfinite(interval.high) && width > 0 && interval.low > 0)
        digits = (int)fmin(MOST_DIGITS, fmax(SHOWN_DIGITS, ceil(log10(interval.high / width)) + 1));
    (void)snprintf(buffer, 2 * (size_t)HTML_NUMBER_SIZE, interval.low == interval.high ? "%s" : "%s to %s",
                   print_rate(interval.low, digits, low), print_rate(interval.high, digits, high));
    return buffer;
}

const char *html_rate_of(uint64_t count, uint64_t n, char buffer[HTML_NUMBER_SIZE])
{
    char number[HTML_NUMBER_SIZE];
    if (n == 0)
        buffer[0] = '\0';
    else if (count > 0)
        return html_rate((double)count / (double)n, buffer);
    else
        (void)snprintf(buffer, HTML_NUMBER_SIZE, "< %.60s",
                       print_rate(statistics_zero_bound(n, STATISTICS_CONFIDENCE), BOUND_DIGITS, number));
    return buffer;
}

const char *html_number(uint64_t number, char buffer[HTML_NUMBER_SIZE])
{
    (void)snprintf(buffer, HTML_NUMBER_SIZE, "%" PRIu64, number);
    return buffer;
}

const char *html_count_in_words(uint64_t count, char buffer[HTML_NUMBER_SIZE])
{
    static const char *const units[] = {"million", "billion", "trillion", "quadrillion", "quintillion"};
    double value = (double)count / 1e6;
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < COUNT(units)) {
        value /= 1000;
        unit++;
    }
    if (count < 1000000)
        (void)snprintf(buffer, HTML_NUMBER_SIZE, "%s", QUANTITY_COUNT(count));
    else
        (void)snprintf(buffer, HTML_NUMBER_SIZE, "%.3g %s", value, units[unit]);
    return buffer;
}

/* ---- the page ---- */

void html_start(struct text *text, const char *title)
{
    text_add(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ");
    hash_add_source(text, page_style);
    text_add(text, "; script-src ");
    hash_add_source(text, page_script);
    text_add(text,
             "; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"referrer\" content=\"no-referrer\">\n");
    html_add(text, "<title>$</title>\n<style>", title);
    text_add(text, "%s</style>\n</head>\n<body>\n<main>\n", page_style);
    html_add(text, "<header>\n<h1>$</h1>\n", title);
}

void html_end(struct text *text)
{
    text_add(text, "</main>\n<script>%s</script>\n</body>\n</html>\n", page_script);
}
