// SPDX-License-Identifier: Apache-2.0
/* Translating the words of the kernel's template and of generated instructions for the target. */
#include "runner/hunt/reproduce/program.h"

static const struct template_word cuda_words[] = {
    {"draw", "", WORD_DRAWN},
    {"FUNCTION", "static __device__", WORD_PLAIN},
    {"TABLE", "static __constant__ const", WORD_PLAIN},
    {"CONSTANT", "const", WORD_PLAIN},
    {"GLOBAL", "", WORD_PLAIN},
    {"LOCAL", "", WORD_PLAIN},
    {"SHARED", "__shared__", WORD_PLAIN},
    {"ENTRY", "__global__ void __launch_bounds__(THREADS)", WORD_PLAIN},
    {"group_barrier", "__syncthreads()", WORD_CALL},
    {"GROUP", "blockIdx.x", WORD_PLAIN},
    {"LANE", "threadIdx.x", WORD_PLAIN},
    {"GROUPS", "BLOCKS", WORD_PLAIN},
    {"STRESS_GROUPS", "STRESS_BLOCKS", WORD_PLAIN},
    {"GROUP_SIZE", "THREADS", WORD_PLAIN},
    {"LONG", "long long", WORD_PLAIN},
    {"s8", "signed char", WORD_PLAIN},
    {"u8", "unsigned char", WORD_PLAIN},
    {"s16", "short", WORD_PLAIN},
    {"u16", "unsigned short", WORD_PLAIN},
    {"u32", "unsigned", WORD_PLAIN},
    {"u64", "unsigned long long", WORD_PLAIN},
    {"GLOBAL_OPERAND", "\"l\"", WORD_PLAIN},
    {"LOCAL_OPERAND", "\"r\"", WORD_PLAIN},
    {"GENERIC_OPERAND", "\"l\"", WORD_PLAIN},
    {"global_address", "", WORD_BRACKETS},
    {"generic_address", "", WORD_BRACKETS},
    {"local_address", "(unsigned)__cvta_generic_to_shared", WORD_PLAIN},
    {0},
};

static const struct template_word opencl_words[] = {
    {"draw", "", WORD_DRAWN},
    {"FUNCTION", "static", WORD_PLAIN},
    {"TABLE", "__constant", WORD_PLAIN},
    {"CONSTANT", "__constant", WORD_PLAIN},
    {"GLOBAL", "__global", WORD_PLAIN},
    {"LOCAL", "__local", WORD_PLAIN},
    {"SHARED", "__local", WORD_PLAIN},
    {"ENTRY", "__kernel void", WORD_PLAIN},
    {"group_barrier", "barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)", WORD_CALL},
    {"GROUP", "(uint)get_group_id(0)", WORD_PLAIN},
    {"LANE", "(uint)get_local_id(0)", WORD_PLAIN},
    {"LONG", "long", WORD_PLAIN},
    {"s8", "char", WORD_PLAIN},
    {"u8", "uchar", WORD_PLAIN},
    {"s16", "short", WORD_PLAIN},
    {"u16", "ushort", WORD_PLAIN},
    {"u32", "uint", WORD_PLAIN},
    {"u64", "ulong", WORD_PLAIN},
    {"GLOBAL_OPERAND", "\"l\"", WORD_PLAIN},
    {"LOCAL_OPERAND", "\"l\"", WORD_PLAIN},
    {"GENERIC_OPERAND", "\"l\"", WORD_PLAIN},
    {"global_address", "", WORD_BRACKETS},
    {"local_address", "", WORD_BRACKETS},
    {"generic_address", "(__generic uint *)", WORD_PLAIN},
    {0},
};

static const struct template_word glsl_words[] = {
    {"draw", "", WORD_DRAWN},
    {"FUNCTION", "", WORD_PLAIN},
    {"TABLE", "const", WORD_PLAIN},
    {"group_barrier", "controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, STORAGE, BOTH)", WORD_CALL},
    {"GROUP", "gl_WorkGroupID.x", WORD_PLAIN},
    {"LANE", "gl_LocalInvocationID.x", WORD_PLAIN},
    {"LONG", "int", WORD_PLAIN},
    {"u32", "uint", WORD_PLAIN},
    {"u64", "uint", WORD_PLAIN},
    {0},
};

void program_reword(const struct program *program, const char *kernel, struct text *text)
{
    words_replace(kernel, program->cuda ? cuda_words : program->glsl ? glsl_words : opencl_words, NULL, NULL, text);
}
