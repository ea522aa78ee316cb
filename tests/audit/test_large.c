// SPDX-License-Identifier: Apache-2.0
/* Protects against PTX that is large or twisted beyond what compilers make: each text is audited within 10 seconds of a
 * processor and 2 GiB, or what it is too large for is a gap with its reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <cmocka.h>

#include "audit/audit.h"
#include "base/text.h"

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

enum { MOST_SECONDS = 10, MOST_KIB = 2 << 20 };

/* A kernel: lines before, a line many times, another as often, lines after. In a repeated line, # is the number of the
 * repetition, ~ the number before it, ^ the number
 * from the end, and & another repetition's. Outside of the kernel if `outside`. */
struct large {
    const char *name, *before;
    unsigned times;
    const char *line, *line_after, *after;
    bool outside;
    const char *gap; /* what its reason has; NULL: there is none; "": one or none, as fast as the machine is */
};

static const char begin[] = ".version 9.0\n.target sm_90\n.address_size 64\n";
static const char head[] = ".visible .entry k(.param .u64 p, .param .u64 q)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<8>;\n"
                           ".reg .b64 %rd<8>;\n.shared .align 4 .b8 s[4096];\nld.param.u64 %rd1, [p];\n"
                           "ld.param.u64 %rd2, [q];\nmov.u32 %r2, %tid.x;\nmov.u32 %r3, s;\n";

static const struct large rows[] = {
    {"labels", "", 1000000, "L#:\n", "", "", false, NULL},
    {"braces", "", 1000000, "{", "}", "", false, "more than 64 braces"},
    {"braces outside", "", 1000000, "{", "}", "", true, NULL},
    {"braces with jumps", "L:\n", 50000, "{ @%p1 bra L;\n", "}", "", false, "more than 64 braces"},
    {"instructions", "", 1000000, "add.s32 %r1, %r2, 1;\n", "", "", false, "more than 200,000 instructions"},
    {"loads and stores", "", 90000, "ld.global.u32 %r1, [%rd1+4];\nst.global.u32 [%rd2], %r1;\n", "", "", false, NULL},
    {"shared loads and stores", "", 90000, "st.shared.u32 [%r3+8], %r1;\nld.shared.u32 %r1, [%r3+8];\n", "", "", false,
     NULL},
    {"blocks", "", 99000, "L#: @%p1 bra L&;\nadd.s32 %r1, %r1, 1;\n", "", "", false, ""},
    {"jumps back", "", 150000, "L#: @%p1 bra L0;\n", "", "", false, "jumps of the kernel take too long"},
    {"jumps to the end", "", 150000, "@%p1 bra END;\n", "", "END:\n", false, "jumps of the kernel take too long"},
    {"jumps one back", "", 150000, "L#: @%p1 bra L~;\n", "", "", false, NULL},
    {"ways out", "", 20000, "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra END;\nld.global.u32 %r1, [%rd1+#];\n", "", "END:\n",
     false, ""},
    {"loops in loops", "", 10000, "L#: ld.relaxed.gpu.global.u32 %r1, [%rd1];\n",
     "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra L^;\n", "", false, NULL},
    {"flags", "", 20000,
     "L#: ld.relaxed.gpu.global.u32 %r1, [%rd1+#];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra L#;\n"
     "ld.global.u32 %r2, [%rd2+#];\nst.global.u32 [%rd2+~], %r2;\nst.relaxed.gpu.global.u32 [%rd1+#], 1;\n",
     "", "", false, "takes too long"},
    {"tickets", "", 20000,
     "atom.global.add.u32 %r1, [%rd1+#], 1;\nsetp.eq.s32 %p1, %r1, 5;\n@%p1 bra L#;\nld.global.u32 %r2, [%rd2+#];\n"
     "st.global.u32 [%rd2+~], %r2;\nL#:\n",
     "", "", false, "takes too long"},
    {"arrivals", "", 10000,
     "st.shared::cluster.u32 [%r1], 1;\nmbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2];\n", "", "", false,
     ""},
    {"one operand", "add.s32 %r1, ", 250000, "%r2+", "", "1;\n", false, NULL},
    {"operands", "add.s32 %r1, ", 250000, "%r2, ", "", "1;\n", false, "more than 64 operands"},
    {"a vector", "ld.global.v4.u32 {", 120000, "%x#, ", "", "%x}, [%rd1];\n", false, NULL},
    {"brackets", "add.s32 %r1, ", 1000000, "[", "", ";\n", false, NULL},
    {"a chain", "", 100000, "add.s32 %x#, %x~, %y#;\n", "",
     "cvt.u64.u32 %rd3, %x99999;\nadd.s64 %rd4, %rd1, %rd3;\n"
     "ld.global.u32 %r1, [%rd4];\n",
     false, NULL},
    {"values twice in the next", "mov.u32 %x0, %tid.x;\n", 1000, "xor.b32 %x#, %x~, %x~;\n", "",
     "add.s32 %r4, %r3, %x999;\nst.shared.u32 [%r4], 1;\nld.shared.u32 %r5, [%r4+4];\n", false, NULL},
    {"choices twice in the next", "mov.u64 %x0, %rd1;\n", 190,
     "add.s64 %y#, %x~, 4;\nadd.s64 %z#, %x~, 8;\nselp.b64 %x#, %y#, %z#, %p1;\n", "",
     "st.global.u32 [%x189], 1;\nld.global.u32 %r5, [%x188];\n", false, NULL},
    {"predicates twice in the next", "setp.eq.s32 %x0, %r1, 0;\n", 100, "and.pred %x#, %x~, %x~;\n", "",
     "@%x99 bra END;\nld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd2], 1;\nEND:\n", false, NULL},
    {"kernels", "", 100000, ".visible .entry k#()\n{ ret; }\n", "", "", true, NULL},
    {"kernels in kernels", "", 20000, ".visible .entry k#()\n{\n", "", "", true, "truncated"},
    {"files", "", 100000, ".file # \"d/#.cu\"\n", "", "", true, NULL},
    {"lines inlined into lines", "", 100000, ".loc 1 # 1, function_name I, inlined_at 1 ~ 1\n", "",
     "st.global.u32 [%rd1], 1;\n", false, NULL},
    {"variables", "", 50000, ".shared .u32 v#;\n", "mov.u64 %v#, v#;\nst.shared.u32 [%v#], 1;\n", "", false, NULL},
    {"lists of targets", "L:\n", 30000, "T#: .branchtargets L;\n", "brx.idx %r1, T#;\n", "", false, NULL},
    {"registers", "{ .reg .b32 ", 20000, "x#<99999999>, ", "", "x; }\n", false, NULL},
};

static void add_repeated(struct text *text, const char *line, unsigned number, unsigned times)
{
    for (const char *c = line; *c; c++)
        if (*c == '#' || *c == '~' || *c == '^' || *c == '&')
            text_add(text, "%u",
                     *c == '#'   ? number
                     : *c == '~' ? (number ? number - 1 : 0)
                     : *c == '^' ? times - 1 - number
                                 : number * 7919U % times);
        else
            text_add_bytes(text, c, 1);
}

static void make_text(const struct large *row, struct text *text)
{
    text_add(text, "%s%s%s", begin, row->outside ? "" : head, row->before);
    for (unsigned i = 0; i < row->times; i++)
        add_repeated(text, row->line, i, row->times);
    for (unsigned i = 0; i < row->times; i++)
        add_repeated(text, row->line_after, i, row->times);
    text_add(text, "%s%s", row->after, row->outside ? "" : "ret;\n}\n");
}

static void check_row(const struct large *row)
{
    /* What is too much for any time is given little of it. */
    const bool endless = row->gap && (!row->gap[0] || strstr(row->gap, "too long"));
    const struct audit_options options = {.block = {256, 0, 0}, .seconds = endless ? 1 : 0};
    struct text text = {0};
    struct audit audit;
    struct error error;
    struct rusage usage;
    make_text(row, &text);
    const clock_t start = clock();
    audit_begin(&audit, &options);
    audit_add(&audit, row->name, text_string(&text), text.size);
    assert_int_equal(audit_judge(&audit, &error), STATUS_OK);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    const char *gap = audit.gap_count > 0 ? audit.gaps[0].reason : NULL;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    (void)printf("%s: %.2f s, %s\n", row->name, seconds, gap ? gap : "no gap");
    if (row->gap ? row->gap[0] && (!gap || !strstr(gap, row->gap)) : gap != NULL)
        fail_msg("%s: gap %s, expected %s", row->name, gap ? gap : "none", row->gap ? row->gap : "none");
    if (!SANITIZED && (seconds > MOST_SECONDS || usage.ru_maxrss > MOST_KIB))
        fail_msg("%s: %.1f seconds, %ld KiB", row->name, seconds, usage.ru_maxrss);
    audit_release(&audit);
    text_release(&text);
}

static void test_large(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_large)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
