// SPDX-License-Identifier: Apache-2.0
/* What a test asks of a device and its language: types, orders and scopes. */
#include "kernel/access.h"

bool lower_declared(const struct backend_device *device, enum litmus_order order, enum litmus_scope scope, bool fence)
{
    static const unsigned order_bits[LITMUS_ORDER_COUNT] = {
        [LITMUS_RELAXED] = BACKEND_ORDER_RELAXED, [LITMUS_ACQUIRE] = BACKEND_ORDER_ACQ_REL,
        [LITMUS_RELEASE] = BACKEND_ORDER_ACQ_REL, [LITMUS_ACQ_REL] = BACKEND_ORDER_ACQ_REL,
        [LITMUS_SEQ_CST] = BACKEND_ORDER_SEQ_CST,
    };
    static const unsigned scope_bits[LITMUS_SCOPE_COUNT] = {
        [LITMUS_WORK_ITEM] = BACKEND_SCOPE_WORK_ITEM,   [LITMUS_SUB_GROUP] = BACKEND_SCOPE_SUB_GROUP,
        [LITMUS_WORK_GROUP] = BACKEND_SCOPE_WORK_GROUP, [LITMUS_CLUSTER] = BACKEND_SCOPE_CLUSTER,
        [LITMUS_DEVICE] = BACKEND_SCOPE_DEVICE,         [LITMUS_ALL_DEVICES] = BACKEND_SCOPE_ALL_DEVICES,
    };
    const unsigned declared_orders = fence ? device->fence_orders : device->atomic_orders;
    const unsigned declared_scopes = fence ? device->fence_scopes : device->atomic_scopes;
    return (order_bits[order] & ~declared_orders) == 0 && (scope_bits[scope] & ~declared_scopes) == 0;
}

void access_note_declared(struct writer *writer, enum litmus_order order, enum litmus_scope scope, bool fence)
{
    if (writer->lowering->is_opencl && !lower_declared(writer->allocation->device, order, scope, fence))
        writer->undeclared = true;
}

void access_note_type(struct writer *writer, enum litmus_type type, enum litmus_region region)
{
    static const struct {
        size_t bytes;
        unsigned type;
        const char *lack;
    } optional[] = {
        {8, BACKEND_TYPE_LONG, "the device has no integers of 64 bits (shaderInt64)"},
        {2, BACKEND_TYPE_SHORT,
         "the device has no integers of 16 bits in buffers (shaderInt16, storageBuffer16BitAccess)"},
        {1, BACKEND_TYPE_CHAR, "the device has no integers of 8 bits in buffers (shaderInt8, storageBuffer8BitAccess)"},
    };
    const size_t bytes = litmus_type_size(type);
    for (size_t i = 0; writer->lowering->syntax->longs && i < sizeof optional / sizeof *optional; i++) {
        if (bytes != optional[i].bytes)
            continue;
        writer->types |= optional[i].type;
        if (!(writer->allocation->device->types & optional[i].type))
            write_refuse(writer, optional[i].lack);
        else if (region == LITMUS_LOCAL)
            write_note(writer,
                       error_set(writer->error, STATUS_UNSUPPORTED,
                                 "a location of %zu bits in the work-group's memory: GLSL has it as words of 32 bits",
                                 8 * bytes));
    }
}

/* Notes types that are optional in OpenCL C. PTX has all types. */
static void check_type(struct writer *writer, const struct access_shape *shape)
{
    const unsigned types = writer->allocation->device->types;
    access_note_type(writer, shape->type, shape->region);
    if (writer->lowering->syntax->longs && litmus_type_size(shape->type) == 8 && shape->order != LITMUS_PLAIN &&
        !(types & BACKEND_TYPE_LONG_ATOMICS))
        write_refuse(writer, "the device has no atomics of 64 bits (shaderBufferInt64Atomics)");
    if (!writer->lowering->is_opencl)
        return;
    if (shape->type == LITMUS_DOUBLE && !(types & BACKEND_TYPE_DOUBLE))
        write_refuse(writer, "the device has no double (cl_khr_fp64)");
    else if (litmus_type_size(shape->type) == 8 && shape->order != LITMUS_PLAIN && !(types & BACKEND_TYPE_LONG_ATOMICS))
        write_refuse(writer, "the device has no atomics of 64 bits (cl_khr_int64_base_atomics and "
                             "cl_khr_int64_extended_atomics)");
    else if (shape->type >= LITMUS_SIZE && shape->type <= LITMUS_UINTPTR && !(types & BACKEND_TYPE_LONG_POINTERS))
        write_note(writer, error_set(writer->error, STATUS_UNSUPPORTED,
                                     "the device's %s has 32 bits, the test's has 64", litmus_type_name(shape->type)));
    else if (shape->generic && !(types & BACKEND_TYPE_GENERIC))
        write_refuse(writer, "the device has no generic address space (__opencl_c_generic_address_space)");
}

void access_note_shape(struct writer *writer, const struct access_shape *shape)
{
    const bool plain = shape->order == LITMUS_PLAIN || shape->order == LITMUS_VOLATILE;
    check_type(writer, shape);
    access_note_declared(writer, shape->order, shape->scope, false);
    access_note_declared(writer, shape->failure, shape->scope, false);
    if (writer->lowering->is_cuda && !plain &&
        (shape->spelling.library ||
         !litmus_cuda_function(shape->operation, shape->order, shape->scope, shape->expected == EXPECTED_VALUE)))
        writer->needs |= CODE_NEEDS_CUDA_LIBRARY;
}

void access_note_fence(struct writer *writer, const struct litmus_fence *fence)
{
    access_note_declared(writer, fence->order, fence->scope, true);
    if (writer->lowering->is_cuda && litmus_cuda_fence_is_library(fence))
        writer->needs |= CODE_NEEDS_CUDA_LIBRARY;
}
