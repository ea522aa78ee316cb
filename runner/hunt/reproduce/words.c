// SPDX-License-Identifier: Apache-2.0
/* Translating the words of the kernel's template and of generated code for the target. */
#include "runner/hunt/reproduce/program.h"

#define CUDA_LOCAL "(unsigned)__cvta_generic_to_shared"
#define OPENCL_MEET "barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)"
#define GLSL_MEET "controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, STORAGE, BOTH)"

/* What each word becomes in each target; NULL: it stays. A row with WORD_BRACKETS drops brackets where the word becomes
 * nothing. */
static const struct {
    const char *from, *cuda, *opencl, *glsl;
    enum template_word_form form;
} target_words[] = {
    {"draw", "", "", "", WORD_DRAWN},
    {"FUNCTION", "static __device__", "static", "", WORD_PLAIN},
    {"TABLE", "static __constant__ const", "__constant", "const", WORD_PLAIN},
    {"CONSTANT", "const", "__constant", NULL, WORD_PLAIN},
    {"GLOBAL", "", "__global", NULL, WORD_PLAIN},
    {"LOCAL", "", "__local", NULL, WORD_PLAIN},
    {"SHARED", "__shared__", "__local", NULL, WORD_PLAIN},
    {"ENTRY", "__global__ void __launch_bounds__(THREADS)", "__kernel void", NULL, WORD_PLAIN},
    {"group_barrier", "__syncthreads()", OPENCL_MEET, GLSL_MEET, WORD_CALL},
    {"GROUP", "blockIdx.x", "(uint)get_group_id(0)", "gl_WorkGroupID.x", WORD_PLAIN},
    {"LANE", "threadIdx.x", "(uint)get_local_id(0)", "gl_LocalInvocationID.x", WORD_PLAIN},
    {"GROUPS", "BLOCKS", NULL, NULL, WORD_PLAIN},
    {"STRESS_GROUPS", "STRESS_BLOCKS", NULL, NULL, WORD_PLAIN},
    {"GROUP_SIZE", "THREADS", NULL, NULL, WORD_PLAIN},
    {"LONG", "long long", "long", "int", WORD_PLAIN},
    {"s8", "signed char", "char", NULL, WORD_PLAIN},
    {"u8", "unsigned char", "uchar", NULL, WORD_PLAIN},
    {"s16", "short", "short", NULL, WORD_PLAIN},
    {"u16", "unsigned short", "ushort", NULL, WORD_PLAIN},
    {"u32", "unsigned", "uint", "uint", WORD_PLAIN},
    {"u64", "unsigned long long", "ulong", "uint", WORD_PLAIN},
    {"GLOBAL_OPERAND", "\"l\"", "\"l\"", NULL, WORD_PLAIN},
    {"LOCAL_OPERAND", "\"r\"", "\"l\"", NULL, WORD_PLAIN},
    {"GENERIC_OPERAND", "\"l\"", "\"l\"", NULL, WORD_PLAIN},
    {"global_address", "", "", NULL, WORD_BRACKETS},
    {"local_address", CUDA_LOCAL, "", NULL, WORD_BRACKETS},
    {"generic_address", "", "(__generic uint *)", NULL, WORD_BRACKETS},
};

void program_reword(const struct program *program, const char *kernel, struct text *text)
{
    enum { WORDS = sizeof target_words / sizeof *target_words };
    struct template_word words[WORDS + 1] = {{0}};
    size_t count = 0;
    for (size_t i = 0; i < WORDS; i++) {
        const char *const to = program->cuda   ? target_words[i].cuda
                               : program->glsl ? target_words[i].glsl
                                               : target_words[i].opencl;
        const bool plain = to && to[0] != '\0' && target_words[i].form == WORD_BRACKETS;
        if (to)
            words[count++] =
                (struct template_word){target_words[i].from, to, plain ? WORD_PLAIN : target_words[i].form};
    }
    words_replace(kernel, words, NULL, NULL, text);
}
