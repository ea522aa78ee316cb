// SPDX-License-Identifier: Apache-2.0
/* A compiler with a fault, for tests: an OpenCL layer (OPENCL_LAYERS=lost_fences.so, see the Khronos loader's and
 * ocl-icd's manuals) that blanks every sequentially consistent fence of a program before the driver compiles it. The
 * program then has no such fences, as with a compiler that loses them; orchil does not know about it. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#include <stdlib.h>
#include <string.h>

static cl_icd_dispatch layer;
static const cl_icd_dispatch *driver;

static const char lost[] = "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device)";

static size_t length_of(const char *string, const size_t *lengths, cl_uint i)
{
    return lengths && lengths[i] > 0 ? lengths[i] : strlen(string);
}

/* All strings in one, with blanks instead of fences. NULL: no memory. */
static char *compile_wrongly(cl_uint count, const char **strings, const size_t *lengths)
{
    size_t size = 0, used = 0;
    for (cl_uint i = 0; i < count; i++)
        size += length_of(strings[i], lengths, i);
    char *text = calloc(size + 1, 1);
    for (cl_uint i = 0; text && i < count; used += length_of(strings[i], lengths, i), i++)
        memcpy(text + used, strings[i], length_of(strings[i], lengths, i));
    for (char *at = text; at && (at = strstr(at, lost)) != NULL;)
        memset(at, ' ', sizeof lost - 1);
    return text;
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char **strings,
                                             const size_t *lengths, cl_int *status)
{
    char *text = compile_wrongly(count, strings, lengths);
    if (!text) {
        *status = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    const cl_program program = driver->clCreateProgramWithSource(context, 1, (const char *[]){text}, NULL, status);
    free(text);
    return program;
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *size_ret)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    if (name != CL_LAYER_API_VERSION || (value && size < sizeof version))
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, &version, sizeof version);
    if (size_ret)
        *size_ret = sizeof version;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
                                            const cl_icd_dispatch **dispatch)
{
    driver = target;
    memcpy(&layer, target, count * sizeof(void *) < sizeof layer ? count * sizeof(void *) : sizeof layer);
    layer.clCreateProgramWithSource = create_program;
    *dispatch = &layer;
    *count_ret = sizeof layer / sizeof(void *);
    return CL_SUCCESS;
}
