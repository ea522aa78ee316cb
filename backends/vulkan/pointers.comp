// SPDX-License-Identifier: Apache-2.0
//
// What follows the prelude in a kernel for a device that has pointers: a place of test memory is then the address of a word.
// The compiler need not check it, as it checks an index, between one access of the test and the next.

#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_buffer_reference : require

layout(push_constant) uniform PointerBlock { uint64_t memory_address; };

#undef PLACE
#undef PLACED
#undef VIEW_AT
#undef VIEW_64_AT
#undef VIEW_16_AT
#undef VIEW_8_AT
#define PLACE uint64_t
#define PLACED(index) (memory_address + 4ul * uint64_t(index))
#define VIEW_AT(view, place) At_##view(place).word
#define VIEW_64_AT(view, place) At_##view##_64(place).word
#define VIEW_16_AT(view, place) At_##view##_16(place).word
#define VIEW_8_AT(view, place) At_##view##_8(place).word

#define BYTES_OF_uint 4
#define BYTES_OF_int 4
#define BYTES_OF_uint64_t 8
#define BYTES_OF_int64_t 8
#define BYTES_OF_uint16_t 2
#define BYTES_OF_int16_t 2
#define BYTES_OF_uint8_t 1
#define BYTES_OF_int8_t 1
// glslang ignores qualifiers such as `nonprivate` of the block, so its member has them, too.
#define POINTER_VIEW(words, name, number)                                                                              \
    layout(buffer_reference, std430, buffer_reference_align = BYTES_OF_##number) words buffer At_##name { words number word; }
VIEWS_32(POINTER_VIEW);
#undef VIEWS
#define VIEWS(number, signed_number, size)                                                                             \
    VIEWS_BY(VIEW, number, signed_number, size);                                                                       \
    VIEWS_BY(POINTER_VIEW, number, signed_number, size)
