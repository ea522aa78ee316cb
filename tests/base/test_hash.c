// SPDX-License-Identifier: Apache-2.0
/* Protects job keys and content hashes: stored databases hold them, so they never change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"

/* The examples of FIPS 180-4. */
static void hashes_are_sha256(void **state)
{
    char hex[HASH_HEX_SIZE];
    (void)state;
    hash_hex("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    hash_hex("", 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    static const char long_text[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    hash_hex(long_text, strlen(long_text), hex);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void a_hash_ends_in_its_buffer(void **state)
{
    char hex[HASH_HEX_SIZE + 1];
    (void)state;
    memset(hex, '#', sizeof hex);
    hash_hex("abc", 3, hex);
    assert_int_equal(strlen(hex), HASH_HEX_SIZE - 1);
    assert_int_equal(hex[HASH_HEX_SIZE], '#');
}

static void the_number_is_the_first_64_bits(void **state)
{
    char hex[HASH_HEX_SIZE];
    (void)state;
    hash_hex("abc", 3, hex);
    assert_int_equal(hash_number(hex), UINT64_C(0xba7816bf8f01cfea));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_sha256),
        cmocka_unit_test(a_hash_ends_in_its_buffer),
        cmocka_unit_test(the_number_is_the_first_64_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
