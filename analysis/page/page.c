// SPDX-License-Identifier: Apache-2.0
/* The page as a whole, and the words that its parts share. */
#include <string.h>

#include "analysis/page/page_parts.h"

extern const char page_guide[]; /* analysis/page/guide.html */

const struct page_mark_words page_marks[PAGE_MARK_COUNT] = {
    [PAGE_FORBIDDEN] = {"kx", "\u2716 ", "forbidden seen", "an outcome that the model forbids was seen"},
    [PAGE_CONTROL] = {"kx", "\u2716 ", "control broken",
                      "as a control the test showed the outcome that it should rule out"},
    [PAGE_CLAIM] = {"kx", "\u2716 ", "must not appear",
                    "the test's file says that its witness must never appear, and it was seen"},
    [PAGE_UNPROMISED] = {"kp", "\u25b2 ", "not promised",
                         "a forbidden outcome was seen, but the device does not promise what the test uses"},
    [PAGE_FAULT] = {"kf", "! ", "fault", "a hang, a crash, a failed build or a lost device"},
    [PAGE_NOT_KEPT] = {"kp", "\u25b2 ", "not kept",
                       "the compiled code is not the test, so this proves nothing about the device"},
    [PAGE_CUT] = {"kf", "", "no result", "not run, interrupted or invalid"},
    [PAGE_GAVE_UP] = {"kp", "\u25b2 ", "gave up", "threads waited in vain for others to go on"},
    [PAGE_SEEN] = {"", "", "seen", "the witness was seen"},
    [PAGE_UNSEEN] = {"kz", "", "not seen", "the witness was not seen"},
    [PAGE_REFUSED] = {"kz", "", "unsupported", "the device does not support what the test uses"},
    [PAGE_NOTHING] = {"kz", "", "nothing counted", "no instance was counted"},
};

void page_print(const struct page *page, struct text *text)
{
    struct text title = {0};
    page_add_title(page, &title);
    html_start(text, text_string(&title));
    text_release(&title);
    page_print_overview(page, text);
    page_print_findings(page, text);
    page_print_rates(page, text);
    page_print_map(page, text);
    page_print_unseen(page, text);
    page_print_scores(page->history, text);
    page_print_history(page, text);
    page_print_tests(page, text);
    text_add(text, "%s", page_guide);
    page_print_sources(page, text);
    html_end(text);
}
