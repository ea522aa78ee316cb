// SPDX-License-Identifier: Apache-2.0
/*
 * Protects the inspection of SASS: code that ptxas 13.0 made for sm_90 is kept, and each of a list of faults planted in
 * it is found, with its step. If one were missed, a compiler's error would count as the device's behaviour.
 *
 * The code was recorded with nvdisasm 12.4 and cut down to the threads. A line "@ 2" means the place of step 2 of the
 * kernel, "@ +" a place in the threads that belongs to no step, "@ -" a place outside the threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/inspect.h"
#include "tests/inspect/planted_faults.h"

/* ---- the recorded code ---- */

#define START                                                                                                          \
    "orchil:\n"                                                                                                        \
    ".text.orchil:\n@ -\n"                                                                                             \
    "        /*0010*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;\n"                                               \
    "        /*0020*/              @!P1 BRA `(.L_x_1) ;\n"
#define SECOND                                                                                                         \
    "@ -\n        /*0200*/                   BRA `(.L_x_2) ;\n"                                                        \
    ".L_x_1:\n"
#define END                                                                                                            \
    "@ -\n.L_x_2:\n"                                                                                                   \
    "        /*0400*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;\n"                                               \
    "        /*0410*/                   EXIT ;\n"                                                                      \
    ".L_x_3:\n"                                                                                                        \
    "        /*0420*/                   BRA `(.L_x_3);\n"

static const char message[] = "PTX MP+rel+acq\n{ x=0; y=0; 1:r0=0; 1:r1=0; }\n"
                              " P0@cta 0,gpu 0      | P1@cta 1,gpu 0        ;\n"
                              " st.relaxed.gpu [x], 1 | ld.acquire.gpu r0, [y] ;\n"
                              " st.release.gpu [y], 1 | ld.relaxed.gpu r1, [x] ;\n"
                              "exists (1:r0=1 /\\ 1:r1=0)\n";

static const char message_code[] = START
    "@ 2\n"
    "        /*4100*/                   LDG.E.STRONG.GPU R24, desc[UR10][R16.64] ;\n"
    "        /*4110*/                   CCTL.IVALL ;\n"
    "@ 3\n"
    "        /*4120*/                   LDG.E.STRONG.GPU R18, desc[UR10][R18.64] ;\n" SECOND "@ 0\n"
    "        /*48e0*/                   IMAD.MOV.U32 R12, RZ, RZ, 0x1 ;\n"
    "        /*4910*/                   STG.E.STRONG.GPU desc[UR10][R18.64], R12 ;\n"
    "@ 1\n"
    "        /*4918*/              @!PT LDS RZ, [RZ] ;\n" /* the driver's ptxas adds these to fences; it never runs */
    "        /*4920*/                   MEMBAR.ALL.GPU ;\n"
    "        /*4930*/                   ERRBAR;\n"
    "        /*4940*/                   CGAERRBAR ;\n"
    "        /*4950*/                   STG.E.STRONG.GPU desc[UR10][R20.64], R12 ;\n" END;

/* ptxas 13.0 for sm_89: the fence is before the loop that it makes of a 64-bit update, at the place of the preceding
 * code. */
static const char adopted[] = "PTX adopted\n{ long f=0; }\n"
                              " P0@cta 0,gpu 0           ;\n"
                              " red.release.cta.add f, 1 ;\n"
                              "regions: f: shared\n"
                              "exists ([f]=1)\n";

static const char adopted_code[] =
    START SECOND "@ +\n"
                 "        /*36d0*/                   IMAD.WIDE.U32 R28, R29, R28, R4 ;\n"
                 "        /*36e0*/                   MEMBAR.ALL.CTA ;\n"
                 ".L_x_63:\n"
                 "@ 0\n"
                 "        /*36f0*/                   LDS.64 R4, [R25.X4] ;\n"
                 "        /*3700*/                   IADD3 R6, P0, R4, 0x1, RZ ;\n"
                 "        /*3720*/                   ATOMS.CAST.SPIN.64 R6, [R25.X4], R4, R6 ;\n"
                 "        /*3730*/                   ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT ;\n"
                 "        /*3750*/              @!P0 BRA `(.L_x_63) ;\n" END;

static const char buffering[] = "PTX SB+fencesc\n{ x=0; y=0; 0:r0=0; 1:r0=0; }\n"
                                " P0@cta 0,gpu 0        | P1@cta 1,gpu 0        ;\n"
                                " st.relaxed.gpu [x], 1 | st.relaxed.gpu [y], 1 ;\n"
                                " fence.sc.gpu          | fence.sc.gpu          ;\n"
                                " ld.relaxed.gpu r0, [y] | ld.relaxed.gpu r0, [x] ;\n"
                                "exists (0:r0=0 /\\ 1:r0=0)\n";

static const char buffering_code[] =
    START "@ 3\n"
          "        /*4080*/                   STG.E.STRONG.GPU desc[UR10][R18.64], R16 ;\n"
          "@ 4\n"
          "        /*40a0*/                   MEMBAR.SC.GPU ;\n"
          "        /*40b0*/                   ERRBAR ;\n"
          "        /*40c0*/                   CGAERRBAR ;\n"
          "        /*40d0*/                   CCTL.IVALL ;\n"
          "@ 5\n"
          "        /*4130*/                   LDG.E.STRONG.GPU R17, desc[UR10][R10.64] ;\n" SECOND "@ 0\n"
          "        /*4880*/                   STG.E.STRONG.GPU desc[UR10][R18.64], R16 ;\n"
          "@ 1\n"
          "        /*48a0*/                   MEMBAR.SC.GPU ;\n"
          "        /*48b0*/                   ERRBAR ;\n"
          "        /*48c0*/                   CGAERRBAR ;\n"
          "        /*48d0*/                   CCTL.IVALL ;\n"
          "@ 2\n"
          "        /*4920*/                   LDG.E.STRONG.GPU R17, desc[UR10][R10.64] ;\n" END;

/* A loop, a branch that became a predicate, and a read-modify-write. */
static const char spinning[] = "CUDA spinning\n{ x=0; m=1; }\n"
                               "P0@cta 0, gpu 0 (int* x, int* m) {\n"
                               "  int r0;\n  int r1;\n"
                               "  while (atomicAdd(m, 0) == 0) {\n  }\n"
                               "  r0 = *x;\n"
                               "  if (r0 == 1) {\n    *x = 2;\n  } else {\n    *x = 3;\n  }\n"
                               "}\n"
                               "exists (0:r0=1)\n";

static const char spinning_code[] =
    START ".L_x_9:\n"
          "@ 0\n"
          "        /*3000*/                   ATOMG.E.ADD.STRONG.GPU PT, R4, desc[UR10][R2.64], RZ ;\n"
          "        /*3010*/                   ISETP.NE.AND P0, PT, R4, RZ, PT ;\n"
          "        /*3020*/              @!P0 BRA `(.L_x_9) ;\n"
          "@ 1\n"
          "        /*3030*/                   LDG.E R5, desc[UR10][R8.64] ;\n"
          "        /*3040*/                   ISETP.NE.AND P2, PT, R5, 0x1, PT ;\n"
          "@ 2\n"
          "        /*3050*/              @!P2 STG.E desc[UR10][R8.64], R6 ;\n"
          "@ 3\n"
          "        /*3060*/               @P2 STG.E desc[UR10][R8.64], R7 ;\n" SECOND END;

/* A test of 64 bits and a barrier, in one work-group. */
static const char meeting[] = "PTX meeting\n{ long x=0; long P0:r0=0; }\n"
                              " P0@cta 0,gpu 0         ;\n"
                              " st.weak x, 1           ;\n"
                              " bar.cta.sync 0         ;\n"
                              " ld.weak r0, x          ;\n"
                              "exists (0:r0=0)\n";

static const char meeting_code[] =
    START SECOND "@ 0\n"
                 "        /*3000*/                   STG.E.64 desc[UR10][R8.64], R4 ;\n"
                 "@ 1\n"
                 "        /*3010*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;\n"
                 "@ 2\n"
                 "        /*3020*/                   LDG.E.64 R6, desc[UR10][R8.64] ;\n" END;

/* A single location, with two stores and two loads. */
static const char coherence[] = "PTX coherence\n{ x=0; 1:r0=0; 1:r1=0; }\n"
                                " P0@cta 0,gpu 0        | P1@cta 1,gpu 0         ;\n"
                                " st.relaxed.gpu [x], 1 | ld.relaxed.gpu r0, [x] ;\n"
                                " st.release.gpu [x], 2 | ld.relaxed.gpu r1, [x] ;\n"
                                "exists (1:r0=2 /\\ 1:r1=1)\n";

#define LDG_FIRST "@ 2\n        /*3d70*/                   LDG.E.STRONG.GPU R23, desc[UR10][R14.64] ;\n"
#define LDG_SECOND "@ 3\n        /*3d80*/                   LDG.E.STRONG.GPU R24, desc[UR10][R14.64] ;\n"
#define STG_FIRST "@ 0\n        /*4420*/                   STG.E.STRONG.GPU desc[UR10][R18.64], R11 ;\n"

static const char coherence_code[] = START LDG_FIRST LDG_SECOND SECOND
    "@ 0\n"
    "        /*43f0*/                   IMAD.MOV.U32 R11, RZ, RZ, 0x1 ;\n"
    "@ 1\n"
    "        /*4410*/                   IMAD.MOV.U32 R16, RZ, RZ, 0x2 ;\n" STG_FIRST "@ 1\n"
    "        /*4430*/                   MEMBAR.ALL.GPU ;\n"
    "        /*4440*/                   ERRBAR ;\n"
    "        /*4450*/                   CGAERRBAR ;\n"
    "        /*4460*/                   STG.E.STRONG.GPU desc[UR10][R18.64], R16 ;\n" END;

/* Two launches: the reads of the second, in the order in which ptxas put the loads of chain+queue. */
#define LAUNCHES                                                                                                       \
    "PTX launches\n{ x=0; y=0; 1:r0=0; 1:r1=0; }\n"                                                                    \
    " P0@cta 0,gpu 0 | P1@cta 1,gpu 0  ;\n"                                                                            \
    " st.weak x, 1   | ld.weak r0, x   ;\n"                                                                            \
    " st.weak y, 1   | ld.weak r1, y   ;\n"
static const char ordered_launches[] = LAUNCHES "P1 after P0 by queue\nexists (1:r0=0)\n";
static const char parallel_launches[] = LAUNCHES "P1 beside P0\nexists (1:r0=0)\n";

static const char launches_code[] =
    START "@ 3\n        /*52a0*/                   LDG.E R9, desc[UR36][R8.64] ;\n"
          "@ 2\n        /*52b0*/                   LDG.E R11, desc[UR36][R10.64] ;\n" SECOND
          "@ 0\n        /*5400*/                   STG.E desc[UR36][R12.64], R7 ;\n"
          "@ 1\n        /*5410*/                   STG.E desc[UR36][R14.64], R7 ;\n" END;

/* ---- faults ---- */

#define LDG_X "@ 3\n        /*4120*/                   LDG.E.STRONG.GPU R18, desc[UR10][R18.64] ;\n"
#define LDG_Y "        /*4100*/                   LDG.E.STRONG.GPU R24, desc[UR10][R16.64] ;\n"
#define STG_X                                                                                                          \
    "@ 0\n        /*48e0*/                   IMAD.MOV.U32 R12, RZ, RZ, 0x1 ;\n"                                        \
    "        /*4910*/                   STG.E.STRONG.GPU desc[UR10][R18.64], R12 ;\n"

#define ACQUIRE "@ 2\n" LDG_Y "        /*4110*/                   CCTL.IVALL ;\n"
#define FENCED                                                                                                         \
    "        /*4920*/                   MEMBAR.ALL.GPU ;\n"                                                            \
    "        /*4930*/                   ERRBAR;\n"                                                                     \
    "        /*4940*/                   CGAERRBAR ;\n"
#define STG_Y "        /*4950*/                   STG.E.STRONG.GPU desc[UR10][R20.64], R12 ;\n"
#define FENCE_SC                                                                                                       \
    "@ 4\n        /*40a0*/                   MEMBAR.SC.GPU ;\n"                                                        \
    "        /*40b0*/                   ERRBAR ;\n"                                                                    \
    "        /*40c0*/                   CGAERRBAR ;\n"                                                                 \
    "        /*40d0*/                   CCTL.IVALL ;\n"
#define LDG_BUFFERED "@ 5\n        /*4130*/                   LDG.E.STRONG.GPU R17, desc[UR10][R10.64] ;\n"
#define SPIN                                                                                                           \
    "@ 0\n        /*3000*/                   ATOMG.E.ADD.STRONG.GPU PT, R4, desc[UR10][R2.64], RZ ;\n"                 \
    "        /*3010*/                   ISETP.NE.AND P0, PT, R4, RZ, PT ;\n"                                           \
    "        /*3020*/              @!P0 BRA `(.L_x_9) ;\n"
#define SPUN "@ 1\n        /*3030*/                   LDG.E R5, desc[UR10][R8.64] ;\n"

/* Faults: in the test's code, `from` becomes `to`. */
static const struct plant {
    const char *kind, *what, *test, *code, *from, *to;
    enum inspect_fault fault;
    unsigned step;
} plants[] = {
    {"dropped fence", "an emulated release without its fence, as sm_90 has it", adopted, adopted_code, "MEMBAR.ALL.CTA",
     "NOP", INSPECT_WEAKENED, 0},
    {"dropped fence", "a release without its fence", message, message_code, "MEMBAR.ALL.GPU", "NOP", INSPECT_WEAKENED,
     1},
    {"dropped fence", "an acquire without its invalidation", message, message_code, "CCTL.IVALL", "NOP",
     INSPECT_WEAKENED, 2},
    {"other", "a load that is not there", message, message_code, LDG_X, "", INSPECT_MISSING, 3},
    {"dropped store", "a store that is not there", message, message_code, STG_X, "", INSPECT_MISSING, 0},
    {"doubled access", "a load before the one that acquires", message, message_code, "@ 2\n" LDG_Y, LDG_X "@ 2\n" LDG_Y,
     INSPECT_DOUBLED, 3},
    {"narrower scope", "a narrower scope of a load", message, message_code,
     "/*4100*/                   LDG.E.STRONG.GPU", "/*4100*/                   LDG.E.STRONG.SM", INSPECT_NARROWED, 2},
    {"narrower scope", "a narrower scope of a fence", message, message_code, "MEMBAR.ALL.GPU", "MEMBAR.ALL.CTA",
     INSPECT_NARROWED, 1},
    {"weaker order", "a weak store in place of a strong one", message, message_code,
     "/*4950*/                   STG.E.STRONG.GPU", "/*4950*/                   STG.E", INSPECT_WEAKENED, 1},
    {"doubled access", "a store after its fence and its release", message, message_code, "@ -\n.L_x_2:\n",
     STG_X "@ -\n.L_x_2:\n", INSPECT_DOUBLED, 0},
    {"weaker order", "a fence of the wrong kind", buffering, buffering_code, "/*48a0*/                   MEMBAR.SC.GPU",
     "/*48a0*/                   MEMBAR.ALL.GPU", INSPECT_WEAKENED, 1},
    {"dropped fence", "a fence that is not there", buffering, buffering_code,
     "        /*48a0*/                   MEMBAR.SC.GPU ;\n", "", INSPECT_MISSING, 1},
    {"doubled access", "a load before the fence", buffering, buffering_code, "@ 1\n        /*48a0*/",
     "@ 2\n        /*4898*/                   LDG.E.STRONG.GPU R17, desc[UR10][R10.64] ;\n"
     "@ 1\n        /*48a0*/",
     INSPECT_DOUBLED, 2},
    {"other", "a store in place of a load", buffering, buffering_code,
     "/*4130*/                   LDG.E.STRONG.GPU R17, desc[UR10][R10.64]",
     "/*4130*/                   STG.E.STRONG.GPU desc[UR10][R10.64], R17", INSPECT_CHANGED, 5},
    {"other", "a loop that runs once", spinning, spinning_code, "        /*3020*/              @!P0 BRA `(.L_x_9) ;\n",
     "", INSPECT_ONCE, 0},
    {"other", "both sides of a branch", spinning, spinning_code, "@!P2 STG.E", "     STG.E", INSPECT_MOVED, 3},
    {"dropped store", "a store on one side alone", spinning, spinning_code,
     "@ 3\n        /*3060*/               @P2 STG.E desc[UR10][R8.64], R7 ;\n", "", INSPECT_MISSING, 3},
    {"wider access", "a wider access", meeting, meeting_code, "STG.E.64", "STG.E.128", INSPECT_RESIZED, 0},
    {"smaller access", "an access in two pieces", meeting, meeting_code,
     "        /*3020*/                   LDG.E.64 R6,",
     "        /*3018*/                   LDG.E R7, desc[UR10][R8.64+0x4] ;\n"
     "        /*3020*/                   LDG.E R6,",
     INSPECT_RESIZED, 2},
    {"other", "a barrier that is not there", meeting, meeting_code,
     "@ 1\n        /*3010*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;\n", "", INSPECT_MISSING, 1},
    {"merged loads", "two loads of a location as one", coherence, coherence_code, LDG_SECOND, "", INSPECT_MISSING, 3},
    {"merged loads", "the first of two loads of a location as the second", coherence, coherence_code, LDG_FIRST, "",
     INSPECT_MISSING, 2},
    {"moved load", "two loads of a location in the other order", coherence, coherence_code, LDG_FIRST LDG_SECOND,
     LDG_SECOND LDG_FIRST, INSPECT_MOVED, 3},
    {"dropped store", "a store that another overwrites", coherence, coherence_code, STG_FIRST, "", INSPECT_MISSING, 0},
    {"moved load", "a load hoisted above the one that acquires", message, message_code, ACQUIRE LDG_X, LDG_X ACQUIRE,
     INSPECT_MOVED, 3},
    {"moved load", "a load hoisted above the fence", buffering, buffering_code, FENCE_SC LDG_BUFFERED,
     LDG_BUFFERED FENCE_SC, INSPECT_MOVED, 5},
    {"moved load", "a load hoisted above the loop", spinning, spinning_code, ".L_x_9:\n" SPIN SPUN,
     SPUN ".L_x_9:\n" SPIN, INSPECT_MOVED, 1},
    {"moved fence", "a fence after its release", message, message_code, FENCED STG_Y, STG_Y FENCED, INSPECT_MOVED, 1},
};

/* ---- inspecting ---- */

static struct litmus_test *parse(const char *text)
{
    struct litmus_test *test;
    struct error error;
    if (litmus_parse("sass", text, strlen(text), &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return test;
}

static const struct backend_device device = {.backend = "cuda",
                                             .name = "a GPU",
                                             .architecture = "sm_90",
                                             .gpu = true,
                                             .takes = BACKEND_TAKES_PTX,
                                             .atomic_orders = BACKEND_ALL_ORDERS,
                                             .atomic_scopes = BACKEND_ALL_SCOPES,
                                             .fence_orders = BACKEND_ALL_ORDERS,
                                             .fence_scopes = BACKEND_ALL_SCOPES,
                                             .types = BACKEND_ALL_TYPES,
                                             .paths = BACKEND_ALL_PATHS,
                                             .edges = (1U << LAUNCH_EDGE_COUNT) - 1,
                                             .compute_units = 100,
                                             .max_group_size = 1024,
                                             .max_cluster_groups = 8,
                                             .sub_group_size = 32};

/* Appends the code with the places of the kernel's lines in it. */
static void expand(const char *code, const struct kernel *kernel, struct text *text)
{
    const char *next;
    for (const char *line = code; *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next != '\0';
        if (line[0] != '@') {
            text_add_bytes(text, line, (size_t)(next - line));
            continue;
        }
        if (line[2] == '+') {
            text_add(text, "\t//## File \"k.cu\", line %u inlined at \"k.cu\", line 2\n\t//## File \"k.cu\", line 2\n",
                     kernel->functions_line);
            continue;
        }
        if (line[2] == '-') {
            text_add(text, "\t//## File \"k.cu\", line 1\n");
            continue;
        }
        const struct kernel_step *step = &kernel->steps[strtoul(line + 2, NULL, 10)];
        if (!step->barrier)
            text_add(text, "\t//## File \"k.cu\", line %u inlined at \"k.cu\", line %u\n", kernel->helpers_line + 2,
                     step->line);
        text_add(text, "\t//## File \"k.cu\", line %u inlined at \"k.cu\", line 2\n\t//## File \"k.cu\", line 2\n",
                 step->line);
    }
}

static void inspect_for(const char *architecture, const char *test_text, const char *code,
                        struct inspection *inspection)
{
    struct litmus_test *test = parse(test_text);
    struct kernel kernel;
    struct error error;
    struct text text = {0};
    assert_int_equal(kernel_generate(test, &device, NULL, false, &kernel, &error), STATUS_OK);
    expand(code, &kernel, &text);
    inspect_code(
        &(struct inspect_code){
            .machine = INSPECT_SASS, .text = text_string(&text), .architecture = architecture, .first_line = 1},
        test, &kernel, inspection);
    text_release(&text);
    kernel_release(&kernel);
    litmus_release(test);
}

static void inspect(const char *test_text, const char *code, struct inspection *inspection)
{
    inspect_for("sm_90", test_text, code, inspection);
}

/* The rules of one architecture do not apply to another: correct code for sm_90 is not inspected as sm_100's. */
static void test_unknown_architecture(void **state)
{
    static const char *const unknown[] = {"sm_100", "sm_120", "sm_90a", ""};
    (void)state;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        struct inspection inspection;
        inspect_for(unknown[i], message, message_code, &inspection);
        assert_int_equal(inspection.kept, TEST_NOT_INSPECTED);
        assert_non_null(strstr(inspection.reason, unknown[i][0] ? unknown[i] : "without a name"));
        inspection_release(&inspection);
    }
}

static void test_kept(void **state)
{
    static const struct {
        const char *test, *code;
    } cases[] = {{message, message_code},
                 {buffering, buffering_code},
                 {spinning, spinning_code},
                 {meeting, meeting_code},
                 {coherence, coherence_code}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct inspection inspection;
        inspect(cases[i].test, cases[i].code, &inspection);
        if (inspection.kept != TEST_KEPT)
            fail_msg("case %zu is %s: %s", i, kept_word(inspection.kept), inspection.reason);
        assert_int_equal(inspection.finding_count, 0);
        assert_string_equal(inspection.reason, "");
        inspection_release(&inspection);
    }
}

static char *plant(const struct plant *plant)
{
    struct text text = {0};
    const char *at = strstr(plant->code, plant->from);
    if (!at)
        fail_msg("%s: '%s' is not in the code", plant->what, plant->from);
    text_add_bytes(&text, plant->code, (size_t)(at - plant->code));
    text_add(&text, "%s%s", plant->to, at + strlen(plant->from));
    return text_take(&text);
}

static bool has_finding(const struct inspection *inspection, enum inspect_fault fault, unsigned step)
{
    for (size_t i = 0; i < inspection->finding_count; i++)
        if (inspection->findings[i].fault == fault && inspection->findings[i].step == step)
            return true;
    return false;
}

static void test_planted(void **state)
{
    struct planted_faults planted = {0};
    (void)state;
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++) {
        struct inspection inspection;
        char *code = plant(&plants[i]);
        inspect(plants[i].test, code, &inspection);
        for (size_t f = 0; f < inspection.finding_count; f++)
            print_message("%s: %s: %s\n", plants[i].what, inspect_fault_word(inspection.findings[f].fault),
                          inspection.findings[f].text);
        planted_faults_add(&planted, plants[i].what, plants[i].kind, inspection.kept);
        if (!has_finding(&inspection, plants[i].fault, plants[i].step))
            fail_msg("%s: expected '%s' of step %u", plants[i].what, inspect_fault_word(plants[i].fault),
                     plants[i].step);
        assert_string_equal(inspection.reason, inspection.findings[0].text);
        inspection_release(&inspection);
        free(code);
    }
    planted_faults_check(&planted, "SASS");
}

/* Outcomes cannot show the order of weak loads while nothing writes their locations; during a launch that writes them,
 * they can. */
static void test_undisturbed_loads(void **state)
{
    struct inspection inspection;
    (void)state;
    inspect(ordered_launches, launches_code, &inspection);
    assert_int_equal(inspection.kept, TEST_KEPT);
    inspection_release(&inspection);
    inspect(parallel_launches, launches_code, &inspection);
    assert_int_equal(inspection.kept, TEST_NOT_KEPT);
    assert_true(has_finding(&inspection, INSPECT_MOVED, 3));
    inspection_release(&inspection);
}

/* Code without lines, or truncated code, is not inspected: it must not look like a lost test. */
static void test_not_inspected(void **state)
{
    static const struct {
        const char *code, *reason;
    } cases[] = {
        {"orchil:\n        /*0010*/                   EXIT ;\n", "has no line information"},
        {"orchil:\n", "no instruction"},
        {"orchil:\n        /*0010*/                   BRA `(.L_x_1) ;\n", "is not in the disassembly"},
        {"orchil:\n        /*0010*/                   BRA `(.L", "is not an instruction"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct inspection inspection;
        inspect(message, cases[i].code, &inspection);
        assert_int_equal(inspection.kept, TEST_NOT_INSPECTED);
        if (!strstr(inspection.reason, cases[i].reason))
            fail_msg("case %zu: %s", i, inspection.reason);
        inspection_release(&inspection);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept),          cmocka_unit_test(test_unknown_architecture),
        cmocka_unit_test(test_planted),       cmocka_unit_test(test_undisturbed_loads),
        cmocka_unit_test(test_not_inspected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
