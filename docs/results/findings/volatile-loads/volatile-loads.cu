// SPDX-License-Identifier: Apache-2.0
// Two volatile loads in a loop, then two volatile stores: nvcc puts the second load first. Needs no device.
__attribute__((global)) void swapped(int *a, unsigned s, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        int *p = a + (unsigned long long)(i % n) * s;
        int r0 = *(volatile int *)p;
        int r1 = *(volatile int *)(p + s);
        *(volatile int *)p = r0 + 1;
        *(volatile int *)(p + s) = r1 + 2;
    }
}

__attribute__((global)) void straight(int *a, unsigned s)
{
    int r0 = *(volatile int *)a;
    int r1 = *(volatile int *)(a + s);
    *(volatile int *)a = r0 + 1;
    *(volatile int *)(a + s) = r1 + 2;
}
