// SPDX-License-Identifier: Apache-2.0
/* Protects how the CUDA backend shares memory, with a driver that records its calls: a peer's memory is reached at its
 * owner's address once access is enabled, the host's pages are pinned for all contexts and mapped, each session
 * releases exactly what it acquired, and what the driver cannot do is `unsupported` with the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backends/cuda/cuda.h"
#include "backends/cuda/library.h"
#include "backends/gpu/session.h"

static struct {
    int can_access, native;
    unsigned allocated, zeroed_words, enabled, registered, register_flags;
    size_t register_bytes;
    unsigned fail_allocation, fail_zeroing, enabling, registering, mapping; /* codes that the calls return */
} noted;

static uint32_t contexts[2]; /* their addresses are the contexts of two sessions */

static unsigned fake_error_name(unsigned code, const char **name)
{
    *name = code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OTHER";
    return 0;
}

static unsigned fake_device_get(int *device, int index)
{
    *device = index;
    return 0;
}

static unsigned fake_attribute(int *value, unsigned attribute, int device)
{
    assert_int_equal(attribute, CUDA_HOST_NATIVE_ATOMICS);
    *value = 0;
    return (unsigned)device;
}

static unsigned fake_allocate(unsigned long long *address, size_t bytes)
{
    assert_int_equal(bytes % sizeof(uint32_t), 0);
    if (noted.fail_allocation)
        return noted.fail_allocation;
    *address = 0x7000;
    noted.allocated++;
    return 0;
}

static unsigned fake_free(unsigned long long address)
{
    assert_true(address == 0x7000);
    noted.allocated--;
    return 0;
}

static unsigned fake_zero(unsigned long long address, unsigned word, size_t words, struct CUstream_st *stream)
{
    assert_true(address == 0x7000 && word == 0 && !stream);
    noted.zeroed_words = (unsigned)words;
    return noted.fail_zeroing;
}

static unsigned fake_synchronize(struct CUstream_st *stream)
{
    assert_null(stream);
    return 0;
}

static unsigned fake_can_access(int *can, int device, int peer)
{
    assert_true(device == 0 && peer == 1);
    *can = noted.can_access;
    return 0;
}

static unsigned fake_peer_attribute(int *value, unsigned attribute, int device, int peer)
{
    assert_true(attribute == CUDA_PEER_NATIVE_ATOMICS && device == 0 && peer == 1);
    *value = noted.native;
    return 0;
}

static unsigned fake_enable(struct CUctx_st *peer, unsigned flags)
{
    assert_ptr_equal(peer, &contexts[1]);
    assert_int_equal(flags, 0);
    noted.enabled++;
    return noted.enabling;
}

static unsigned fake_register(void *memory, size_t bytes, unsigned flags)
{
    assert_ptr_equal(memory, contexts);
    noted.register_bytes = bytes;
    noted.register_flags = flags;
    noted.registered += noted.registering == 0;
    return noted.registering;
}

static unsigned fake_unregister(void *memory)
{
    assert_ptr_equal(memory, contexts);
    noted.registered--;
    return 0;
}

static unsigned fake_pointer(unsigned long long *address, void *memory, unsigned flags)
{
    assert_ptr_equal(memory, contexts);
    assert_int_equal(flags, 0);
    *address = 0x9000;
    return noted.mapping;
}

static const struct gpu_api driver = {
    .driver = &cuda_driver,
    .cuGetErrorName = fake_error_name,
    .cuDeviceGet = fake_device_get,
    .cuDeviceGetAttribute = fake_attribute,
    .cuMemAlloc = fake_allocate,
    .cuMemFree = fake_free,
    .cuMemsetD32Async = fake_zero,
    .cuStreamSynchronize = fake_synchronize,
    .cuDeviceCanAccessPeer = fake_can_access,
    .cuDeviceGetP2PAttribute = fake_peer_attribute,
    .cuCtxEnablePeerAccess = fake_enable,
    .cuMemHostRegister = fake_register,
    .cuMemHostUnregister = fake_unregister,
    .cuMemHostGetDevicePointer = fake_pointer,
};
static const struct backend_device devices[2] = {{.backend = "cuda", .index = 0, .name = "a GPU"},
                                                 {.backend = "cuda", .index = 1, .name = "its peer"}};

static struct gpu_session session_of(unsigned index)
{
    return (struct gpu_session){
        .api = driver, .device = devices[index], .id = (int)index, .context = (struct CUctx_st *)&contexts[index]};
}

static struct backend_session *opened(struct gpu_session *session)
{
    return (struct backend_session *)session;
}

static int forget_notes(void **state)
{
    (void)state;
    memset(&noted, 0, sizeof noted);
    noted.can_access = 1;
    return 0;
}

static void test_peers(void **state)
{
    struct gpu_session owner = session_of(1), other = session_of(0);
    struct backend_shared shared;
    struct error error = {0};
    struct text way = {0};
    uint64_t address = 0;
    (void)state;
    assert_int_equal(gpu_share_memory(opened(&owner), 10, &shared, &error), STATUS_OK);
    assert_int_equal(noted.zeroed_words, 3);
    assert_null(shared.host);
    assert_int_equal(gpu_reach_memory(opened(&other), &shared, &address, &error), STATUS_OK);
    assert_int_equal(address, 0x7000);
    noted.enabling = 704; /* already enabled for other memory */
    assert_int_equal(gpu_reach_memory(opened(&other), &shared, &address, &error), STATUS_OK);
    assert_int_equal(noted.enabled, 2);
    noted.native = 1;
    assert_true(gpu_describe_link_to(opened(&other), &shared, &way));
    assert_string_equal(text_string(&way), "peer access, native atomics");
    text_release(&way);
    gpu_forget_memory(opened(&other), &shared);
    assert_int_equal(noted.allocated, 1); /* its owner still has it */
    gpu_forget_memory(opened(&owner), &shared);
    assert_int_equal(noted.allocated, 0);
}

static void test_no_peer_access(void **state)
{
    struct gpu_session owner = session_of(1), other = session_of(0);
    struct backend_shared shared;
    struct error error = {0};
    uint64_t address;
    (void)state;
    assert_int_equal(gpu_share_memory(opened(&owner), 4, &shared, &error), STATUS_OK);
    noted.can_access = 0;
    assert_int_equal(gpu_reach_memory(opened(&other), &shared, &address, &error), STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "no peer access to cuda:1"));
    assert_int_equal(noted.enabled, 0);
    noted.can_access = 1;
    noted.enabling = 2;
    assert_int_equal(gpu_reach_memory(opened(&other), &shared, &address, &error), STATUS_DEVICE_FAILED);
    assert_non_null(strstr(error.text, "cuCtxEnablePeerAccess"));
    gpu_forget_memory(opened(&owner), &shared);
}

static void test_host(void **state)
{
    struct gpu_session session = session_of(0);
    const struct backend_shared shared = {.host = contexts, .bytes = sizeof contexts};
    struct error error = {0};
    struct text way = {0};
    uint64_t address = 0;
    (void)state;
    assert_int_equal(gpu_reach_memory(opened(&session), &shared, &address, &error), STATUS_OK);
    assert_int_equal(address, 0x9000);
    assert_int_equal(noted.register_flags, 3);
    assert_true(noted.register_bytes >= 4096 && noted.register_bytes % 4096 == 0);
    noted.registering = 712; /* already registered by another session */
    assert_int_equal(gpu_reach_memory(opened(&session), &shared, &address, &error), STATUS_OK);
    assert_false(gpu_describe_link_to(opened(&session), &shared, &way));
    assert_string_equal(text_string(&way), "pinned memory, no native atomics");
    text_release(&way);
    gpu_forget_memory(opened(&session), &shared);
    assert_int_equal(noted.registered, 0);
    noted.registering = 0;
    noted.mapping = 2;
    assert_int_equal(gpu_reach_memory(opened(&session), &shared, &address, &error), STATUS_DEVICE_FAILED);
    assert_int_equal(noted.registered, 0); /* it has unpinned what it had pinned */
}

static void test_failures(void **state)
{
    struct gpu_session session = session_of(0);
    struct gpu_session without = {.device = devices[0]};
    struct backend_shared shared;
    struct error error = {0};
    uint64_t address;
    (void)state;
    noted.fail_allocation = 2;
    assert_int_equal(gpu_share_memory(opened(&session), 4, &shared, &error), STATUS_DEVICE_FAILED);
    noted.fail_allocation = 0;
    noted.fail_zeroing = 700;
    assert_int_equal(gpu_share_memory(opened(&session), 4, &shared, &error), STATUS_DEVICE_LOST);
    assert_int_equal(noted.allocated, 0);
    assert_int_equal(gpu_share_memory(opened(&without), 4, &shared, &error), STATUS_UNSUPPORTED);
    const struct backend_shared elsewhere = {.owner = backend_find("opencl"), .index = 3};
    assert_int_equal(gpu_reach_memory(opened(&session), &elsewhere, &address, &error), STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "cannot access memory on opencl:3"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_peers, forget_notes),
        cmocka_unit_test_setup(test_no_peer_access, forget_notes),
        cmocka_unit_test_setup(test_host, forget_notes),
        cmocka_unit_test_setup(test_failures, forget_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
