// SPDX-License-Identifier: Apache-2.0
/* What each operation makes of its values. */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "tests/kernel/types/sweep.h"

enum { WHOLE = 1, FLOATS = 2, UNSIGNED_32 = 4 }; /* which types have the operation */

/* An operation on a location that holds `initial`. Where the result depends on the sign, of an unsigned type it is
 * another. */
static const struct {
    const char *c, *ptx, *cuda; /* NULL: the dialect has none */
    int types;
    int64_t initial, operand, result, without_sign;
} operations[] = {
    {"exchange", "exch", "atomicExch", WHOLE | FLOATS, 5, 3, 3, 3},
    {"fetch_add", "add", "atomicAdd", WHOLE, 5, 3, 8, 8},
    {"fetch_add", "add", "atomicAdd", WHOLE, -1, 3, 2, 2},
    {NULL, "add", "atomicAdd", FLOATS, 5, -8, -3, -3},
    {"fetch_sub", NULL, "atomicSub", WHOLE, 5, 3, 2, 2},
    {"fetch_sub", NULL, "atomicSub", WHOLE, 3, 5, -2, -2},
    {"fetch_and", "and", "atomicAnd", WHOLE, 6, 3, 2, 2},
    {"fetch_or", "or", "atomicOr", WHOLE, 6, 3, 7, 7},
    {"fetch_xor", "xor", "atomicXor", WHOLE, 6, 3, 5, 5},
    {"fetch_min", "min", "atomicMin", WHOLE, -1, 3, -1, 3},
    {"fetch_max", "max", "atomicMax", WHOLE, -1, 3, 3, -1},
    {NULL, "inc", "atomicInc", UNSIGNED_32, 4, 5, 5, 5},
    {NULL, "inc", "atomicInc", UNSIGNED_32, 5, 5, 0, 0},
    {NULL, "inc", "atomicInc", UNSIGNED_32, -1, 5, 0, 0},
    {NULL, "dec", "atomicDec", UNSIGNED_32, 3, 5, 2, 2},
    {NULL, "dec", "atomicDec", UNSIGNED_32, 0, 5, 5, 5},
    {NULL, "dec", "atomicDec", UNSIGNED_32, 6, 5, 5, 5},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static const struct {
    const char *name, *cuda; /* in OPENCL and PTX; in CUDA, or NULL where it has no atomic functions for it */
    int kind;
    bool is_unsigned;
} types[] = {
    {"int", "int", WHOLE, false},      {"uint", "unsigned", WHOLE | UNSIGNED_32, true},
    {"long", NULL, WHOLE, false},      {"ulong", "unsigned long long", WHOLE, true},
    {"size_t", NULL, WHOLE, true},     {"ptrdiff_t", NULL, WHOLE, false},
    {"intptr_t", NULL, WHOLE, false},  {"uintptr_t", NULL, WHOLE, true},
    {"float", "float", FLOATS, false}, {"double", NULL, FLOATS, false},
};

static const char *word_of(enum litmus_dialect dialect, size_t operation)
{
    return dialect == LITMUS_PTX    ? operations[operation].ptx
           : dialect == LITMUS_CUDA ? operations[operation].cuda
                                    : operations[operation].c;
}

/* A test of one type while it is made. */
struct results {
    enum litmus_dialect dialect;
    const char *type;
    struct text initial, parameters, body, condition;
    size_t count;
};

static void add_operation(struct results *results, size_t o, bool is_unsigned)
{
    const char *word = word_of(results->dialect, o), *type = results->type;
    const size_t n = results->count++;
    text_add(&results->initial, "%s x%zu=%" PRId64 "; ", type, n, operations[o].initial);
    text_add(&results->parameters, "%s%s%s* x%zu", n > 0 ? ", " : "",
             results->dialect == LITMUS_OPENCL ? "global atomic_" : "", type, n);
    if (results->dialect == LITMUS_PTX)
        text_add(&results->body, " atom.relaxed.gpu.%s r%zu, x%zu, %" PRId64 " ;\n", word, n, n, operations[o].operand);
    else if (results->dialect == LITMUS_CUDA)
        text_add(&results->body, "  %s r%zu = %s(x%zu, %" PRId64 ");\n", type, n, word, n, operations[o].operand);
    else
        text_add(&results->body, "  %s r%zu = atomic_%s(x%zu, %" PRId64 ");\n", type, n, word, n,
                 operations[o].operand);
    text_add(&results->condition, "%s0:r%zu=%" PRId64 " /\\ [x%zu]=%" PRId64, n > 0 ? " /\\ " : "", n,
             operations[o].initial, n, is_unsigned ? operations[o].without_sign : operations[o].result);
}

static void finish(struct results *results, sweep_visit *visit, void *context)
{
    static const char *const heads[LITMUS_DIALECT_COUNT] = {
        [LITMUS_OPENCL] = "OPENCL", [LITMUS_PTX] = "PTX", [LITMUS_CUDA] = "CUDA"};
    const bool columns = results->dialect == LITMUS_PTX;
    struct text text = {0};
    text_add(&text, "%s results of %s\n{ %s}\nP0@%s", heads[results->dialect], results->type,
             text_string(&results->initial), results->dialect == LITMUS_OPENCL ? "wg 0, dev 0" : "cta 0, gpu 0");
    if (columns)
        text_add(&text, " ;\n%s", text_string(&results->body));
    else
        text_add(&text, " (%s) {\n%s}\n", text_string(&results->parameters), text_string(&results->body));
    text_add(&text, "exists (%s)\n", text_string(&results->condition));
    visit(sweep_parse(&text), context);
    text_release(&results->initial);
    text_release(&results->parameters);
    text_release(&results->body);
    text_release(&results->condition);
    *results = (struct results){.dialect = results->dialect, .type = results->type};
}

/* Programs that no row of the table says. */
static const struct {
    enum litmus_dialect dialect;
    const char *text;
} others[] = {
    {LITMUS_OPENCL,
     "OPENCL narrow values\n"
     "{ char a=127; uchar b=255; short c=-1; ushort d=65535; char e[3]={1,2,3}; int i=-1; }\n"
     "P0@wg 0, dev 0 (global char* a, global uchar* b, global short* c, local ushort* d, global char* e,\n"
     "                global int* i) {\n"
     "  int r0 = *a + 1;\n  uchar r1 = *b + 1;\n  int r2 = *c < *d;\n  int r3 = ~*b;\n"
     "  *a = *i + 301;\n  *b = -2;\n  *c = *i + 70001;\n  *d = *i;\n  char r4 = 200;\n  int r5 = -r4;\n"
     "  e[1] = 255;\n  int r6 = e[1];\n  ushort r7 = *c << 4;\n  int r8 = *b >> 1;\n}\n"
     "exists (0:r0=128 /\\ 0:r1=0 /\\ 0:r2=1 /\\ 0:r3=-256 /\\ 0:r4=-56 /\\ 0:r5=56 /\\ 0:r6=-1 /\\ "
     "0:r7=5888 /\\ 0:r8=127 /\\ [a]=44 /\\ [b]=254 /\\ [c]=4464 /\\ [d]=65535 /\\ e[0]=1 /\\ "
     "e[1]=-1 /\\ e[2]=3)\n"},
    {LITMUS_OPENCL, "OPENCL flags\n"
                    "{ atomic_flag m=ATOMIC_FLAG_INIT; n=1; x=0; }\n"
                    "P0@wg 0, dev 0 (global atomic_flag* m, local atomic_flag* n, global int* x) {\n"
                    "  int r0 = atomic_flag_test_and_set(m);\n  int r1 = atomic_flag_test_and_set(m);\n"
                    "  atomic_flag_clear(n);\n  int r2 = atomic_flag_test_and_set(n);\n"
                    "  if (atomic_flag_test_and_set(n)) { *x = 1; }\n  atomic_flag_clear(n);\n}\n"
                    "exists (0:r0=0 /\\ 0:r1=1 /\\ 0:r2=0 /\\ [x]=1 /\\ [m]=1 /\\ [n]=0)\n"},
    {LITMUS_OPENCL, "OPENCL constant memory\n"
                    "{ short x[3]={4,-5,6}; ulong y=-1; float z=3; i=1; }\n"
                    "P0@wg 0, dev 0 (constant short* x, constant ulong* y, constant float* z, global int* i) {\n"
                    "  int r0 = x[1];\n  int r1 = x[*i + 1];\n  ulong r2 = *y;\n  float r3 = *z;\n}\n"
                    "exists (0:r0=-5 /\\ 0:r1=6 /\\ 0:r2=-1 /\\ 0:r3=3 /\\ x[0]=4)\n"},
    {LITMUS_OPENCL, "OPENCL compare\n"
                    "{ size_t x=-1; intptr_t y=-2; uint z=3; double w=5; }\n"
                    "P0@wg 0, dev 0 (global atomic_size_t* x, local atomic_intptr_t* y, global atomic_uint* z, global "
                    "atomic_double* w) {\n"
                    "  size_t r0 = -1;\n  int r1 = atomic_compare_exchange_strong(x, &r0, 7);\n  long r2 = 0;\n"
                    "  int r3 = atomic_compare_exchange_strong(y, &r2, 7);\n  int r4 = 4;\n"
                    "  int r5 = atomic_compare_exchange_strong(z, &r4, 7);\n  double r6 = 5;\n"
                    "  int r7 = atomic_compare_exchange_strong(w, &r6, -7);\n}\n"
                    "exists (0:r1=1 /\\ 0:r2=-2 /\\ 0:r3=0 /\\ 0:r4=3 /\\ 0:r5=0 /\\ 0:r7=1 /\\ [x]=7 /\\ [y]=-2 /\\ "
                    "[z]=3 /\\ [w]=-7)\n"},
    {LITMUS_PTX,
     "PTX narrow values\n"
     "{ uchar a=255; char b=-1; ushort c=65535; short d=5; z=-1; int 0:p=300; int 0:q=70000; }\n"
     " P0@cta 0,gpu 0 ;\n ld.relaxed.gpu.u8 r0, a ;\n ld.acquire.cta.s8 r1, b ;\n ld.weak.s16 r2, c ;\n"
     " st.release.sys.b8 a, p ;\n atom.acq_rel.gpu.cas.b16 r3, d, 5, q ;\n"
     " atom.relaxed.gpu.cas.b16 r4, c, 0, 1 ;\n ld.weak.u16 r5, d ;\n"
     "exists (0:r0=255 /\\ 0:r1=-1 /\\ 0:r2=-1 /\\ 0:r3=5 /\\ 0:r4=-1 /\\ 0:r5=4464 /\\ [a]=44 /\\ [d]=4464)\n"},
    {LITMUS_CUDA, "CUDA narrow values\n"
                  "{ unsigned short x=65535; char y=127; }\n"
                  "P0@cta 0, gpu 0 (unsigned short* x, volatile char* y) {\n"
                  "  unsigned short r0 = atomicCAS(x, 65535, 7);\n  unsigned short r1 = atomicCAS(x, 65535, 9);\n"
                  "  *y = *y + 1;\n  int r2 = *y;\n}\n"
                  "exists (0:r0=65535 /\\ 0:r1=7 /\\ 0:r2=-128 /\\ [x]=7)\n"},
};

size_t sweep_results(enum litmus_dialect dialect, size_t at_once, sweep_visit *visit, void *context)
{
    size_t count = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        struct results results = {.dialect = dialect, .type = dialect == LITMUS_CUDA ? types[t].cuda : types[t].name};
        for (size_t o = 0; o < OPERATIONS && results.type; o++) {
            if (!word_of(dialect, o) || !(operations[o].types & types[t].kind))
                continue;
            add_operation(&results, o, types[t].is_unsigned);
            count++;
            if (results.count == at_once)
                finish(&results, visit, context);
        }
        if (results.count > 0)
            finish(&results, visit, context);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].dialect == dialect) {
            struct text text = {0};
            text_add(&text, "%s", others[i].text);
            visit(sweep_parse(&text), context);
            count++;
        }
    return count;
}
