// SPDX-License-Identifier: Apache-2.0
/* Writes the page: the plan, and around it the markup, the style and the scripts, which its policy names. */
#include "web/web.h"

#include "base/hash.h"
#include "base/json.h"
#include "web/web_plan.h"

extern const char web_markup[], web_style[], web_draw[], web_play[], web_script[];

static const char *const web_scripts[] = {web_draw, web_play, web_script};

/* The part of the address that a policy can name: a scheme, a host, and perhaps a port. 0: it is none. */
static size_t origin_size(const char *address)
{
    static const char host_bytes[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]";
    const size_t scheme = strncmp(address, "https://", 8) == 0 ? 8 : strncmp(address, "http://", 7) == 0 ? 7 : 0;
    const size_t host = strspn(address + scheme, host_bytes);
    return scheme > 0 && host > 0 && (!address[scheme + host] || strchr("/?#", address[scheme + host])) ? scheme + host
                                                                                                        : 0;
}

/* The plan as a block of data of the page. In JSON a '<' stands only in strings, where it can be written as a number:
 * so no text of a test ends the block. */
static void print_plan(json_t *plan, struct text *text)
{
    LOCAL(text) json = {0};
    json_add_foreign(plan, &json);
    text_add(text, "<script type=\"application/json\" id=\"plan\">\n");
    for (const char *at = text_string(&json); *at;) {
        const size_t size = strcspn(at, "<");
        text_add_bytes(text, at, size);
        text_add(text, at[size] ? "\\u003c" : "");
        at += size + (at[size] == '<');
    }
    text_add(text, "</script>\n");
}

static void print_page(json_t *plan, const char *post, struct text *text)
{
    text_add(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ");
    hash_add_source(text, web_style);
    text_add(text, "; script-src");
    for (size_t i = 0; i < COUNT(web_scripts); i++) {
        text_add(text, " ");
        hash_add_source(text, web_scripts[i]);
    }
    if (post)
        text_add(text, "; connect-src %.*s", (int)origin_size(post), post);
    text_add(text,
             "; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"referrer\" content=\"no-referrer\">\n"
             "<title>Litmus tests in this browser</title>\n<style>%s</style>\n</head>\n<body>\n%s",
             web_style, web_markup);
    print_plan(plan, text);
    for (size_t i = 0; i < COUNT(web_scripts); i++)
        text_add(text, "<script>%s</script>\n", web_scripts[i]);
    text_add(text, "</body>\n</html>\n");
}

enum status web_page_make(const struct selection *selection, const struct web_options *options, struct web_page *page,
                          struct error *error)
{
    json_auto_t *plan = NULL;
    *page = (struct web_page){.tests = 0};
    if (options->post && origin_size(options->post) == 0)
        return error_set(error, STATUS_USAGE, "--post %s: expected an address like https://example.org/results",
                         options->post);
    TRY(web_plan_make(selection, options, page, &plan, error));
    if (page->tests == 0)
        return error_set(error, STATUS_USAGE, "no test has a kernel in WGSL; the first reason: %s: %s",
                         page->omissions[0].name, page->omissions[0].reason);
    print_page(json_incref(plan), options->post, &page->text);
    return STATUS_OK;
}

void web_page_release(struct web_page *page)
{
    text_release(&page->text);
    arena_release(&page->arena);
    *page = (struct web_page){.tests = 0};
}
