// SPDX-License-Identifier: Apache-2.0
/* All rings of a few threads in which seq_cst is mixed with weaker orders: SB, MP, R, S, 2+2W, IRIW, Z6.U and the rest.
 * Each thread ends at the location where the next one begins; it makes one access or, at two locations, two; each
 * access is a load, a store or a fetch_add, and seq_cst or as weak as acquire and release. */
#pragma once

#include <stdint.h>

#include "litmus/litmus.h"

/* How many numbers rings of so many threads (2 to 4) have. */
uint64_t ring_count(unsigned threads);

/* The ring of a number below ring_count, which its name holds and which observes every register and location. NULL
 * where it has fewer than two locations or seq_cst accesses or nothing weaker, where two threads have nothing but loads
 * where they meet, and where another number has the same ring. The caller calls litmus_release. */
struct litmus_test *ring_test(enum litmus_dialect dialect, unsigned threads, uint64_t number);
