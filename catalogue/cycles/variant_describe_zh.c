// SPDX-License-Identifier: Apache-2.0
/* The description of a variant's test, in Chinese. */
#include <string.h>

#include "catalogue/cycles/variant_parts.h"
#include "litmus/dialects.h"

static void add_region(const struct variant *variant, struct text *text)
{
    if (variant->local == 0)
        return;
    text_add(text, "，");
    if (variant->local != variant_locations(variant))
        for (unsigned i = 0, added = 0; i < CYCLE_MAXIMUM_EDGES; i++)
            if (variant->local >> i & 1)
                text_add(text, "%s%c", added++ > 0 ? "、" : "", variant_letters[i]);
    text_add(text, dialects[variant->dialect].has_atomic_types ? "在局部内存"
                   : dialects[variant->dialect].has_semantics  ? "在工作组内存"
                                                               : "在共享内存");
}

static void add_group(const struct variant *variant, unsigned group, struct text *text)
{
    unsigned members = 0;
    for (unsigned i = 0; i < variant->threads; i++)
        members += variant->work_group[i] == group;
    if (members < 2)
        return;
    text_add(text, "，");
    for (unsigned i = 0, added = 0; i < variant->threads && members < variant->threads; i++)
        if (variant->work_group[i] == group)
            text_add(text, "%sP%u", added++ > 0 ? "、" : "", i);
    const bool nvidia = dialects[variant->dialect].is_nvidia;
    text_add(text, "在同一%s",
             variant->one_sub_group[group] ? (nvidia ? " warp" : "子组")
             : nvidia                      ? "线程块"
                                           : "工作组");
}

static void add_title(const struct variant *variant, const char *family, const char *expect, struct text *text)
{
    static const char *const rmw_words[] = {
        [VARIANT_NO_RMW] = "",
        [VARIANT_RMW_WRITES] = "，写用交换",
        [VARIANT_RMW_READS] = "，读用加 0",
        [VARIANT_RMW_ALL] = "，所有访问都是读-改-写",
    };
    static const char *const plain_words[VARIANT_PLAIN_COUNT] = {
        [VARIANT_PLAIN_SHOWN] = "自己可用、可见",         [VARIANT_PLAIN_BY_ORDERS] = "由次序使其可用、可见",
        [VARIANT_PLAIN_AVAILABLE] = "可用而不可见",       [VARIANT_PLAIN_VISIBLE] = "可见而不可用",
        [VARIANT_PLAIN_NON_PRIVATE] = "既不可用也不可见", [VARIANT_PLAIN_PRIVATE] = "是私有的",
    };
    const struct cycle_words *title = cycle_title(family), *shared = variant_shared_words(variant);
    if (title)
        text_add(text, "%s", title->chinese);
    else
        text_add(text, "环 %s", family);
    text_add(text, "，");
    text_add(text, "%s", shared ? shared->chinese : "各线程的访问不同");
    text_add(text, "%s", rmw_words[variant->rmw]);
    if (variant_has_plain(variant) && dialects[variant->dialect].has_semantics)
        text_add(text, "，普通访问%s", plain_words[variant->plain]);
    add_region(variant, text);
    if (variant_classes_word(variant))
        text_add(text, "，语义只指定 %s", variant_classes_word(variant));
    if (variant->scope != LITMUS_DEVICE && variant->local != variant_locations(variant))
        text_add(text, "，作用域 %s", variant_abilities[variant->dialect].scope_words[variant->scope]);
    for (unsigned group = 0; group < variant_groups(variant) && variant->threads > 1; group++)
        add_group(variant, group, text);
    if (variant->one_cluster)
        text_add(text, "，在同一簇");
    if (variant->own_families)
        text_add(text, "，各工作组在不同的队列族");
    text_add(text, "%s",
             strcmp(expect, "allowed") == 0     ? "：允许。"
             : strcmp(expect, "forbidden") == 0 ? "：禁止。"
             : strcmp(expect, "undefined") == 0 ? "：未定义。"
                                                : "。");
}

bool variant_describe_in_chinese(const struct litmus_test *test, struct text *text)
{
    struct variant variant;
    struct error error;
    struct text family = {0};
    const bool racy = test->doc && strstr(test->doc, "the test is racy");
    const char *given = litmus_metadata(test, "Expect"), *expect = given ? given : racy ? "undefined" : "";
    if (!litmus_metadata(test, "Cycle") || variant_parse_name(test->dialect, test->name, &variant, &error) != STATUS_OK)
        return false;
    cycle_family(&variant.cycle, &family);
    add_title(&variant, text_string(&family), expect, text);
    const struct cycle_words *const sentences[] = {cycle_question(text_string(&family)), variant_feature(&variant, 0),
                                                   variant_feature(&variant, 1),
                                                   racy ? &variant_race_sentence : variant_reason(&variant, expect)};
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (sentences[i])
            text_add(text, "\n%s", sentences[i]->chinese);
    text_release(&family);
    return true;
}
