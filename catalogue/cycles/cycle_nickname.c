// SPDX-License-Identifier: Apache-2.0
/* The table of the families with a nickname. */
#include "catalogue/cycles/cycle_parts.h"

#include <stddef.h>

const struct nickname nicknames[] = {
    {"MP", "WW+RR", false, "Message passing",
     "P0 writes the data x, then raises the flag y. P1 sees the flag: can the data it reads next still be old?"},
    {"SB", "WR+WR", false, "Store buffering",
     "Each thread writes its own location, then reads the other's. Can both reads miss the other thread's write?"},
    {"LB", "RW+RW", false, "Load buffering",
     "Each thread reads one location, then writes the other. Can both reads return what is written only afterwards?"},
    {"R", "WW+WR", false, "A write race and a read",
     "P0 writes x, then y. P1 overwrites y and then reads x: can it miss the write of x?"},
    {"S", "WW+RW", false, "A message and a write race",
     "P0 writes x, then y. P1 sees y and writes x: can P0's write of x, which came first, be the last one?"},
    {"2+2W", "WW+WW", false, "Two threads of two writes",
     "Both threads write x and y, in opposite orders. Can both locations end with the first write of a thread?"},
    {"WRC", "W+RW+RR", false, "Write-to-read causality",
     "P0 writes x. P1 sees it and writes y. P2 sees y: can it still miss the write of x?"},
    {"RWC", "W+RR+WR", false, "Read-to-write causality",
     "P0 writes x. P1 sees it and misses P2's write of y. Can P2, which writes y and then reads x, miss x too?"},
    {"WWC", "W+RW+RW", false, "Write-to-write causality",
     "P0 writes x. P1 sees it and writes y. P2 sees y and writes x: can P0's write of x be the last one?"},
    {"WRW+WR", "W+RW+WR", false, "Causality, a write race and a read",
     "P0 writes x. P1 sees it and writes y. P2 overwrites y and then reads x: can it miss the write of x?"},
    {"WRR+2W", "W+RR+WW", false, "Two reads and two writes",
     "P0 writes x. P1 sees it and misses P2's write of y. P2 writes y, then x: can P0's write of x be the last one?"},
    {"WRW+2W", "W+RW+WW", false, "Causality and two write races",
     "P0 writes x. P1 sees it and writes y. P2 overwrites y, then writes x: can P0's write of x be the last one?"},
    {"ISA2", "WW+RW+RR", false, "Message passing by way of a third thread",
     "P0 writes x, then y. P1 sees y and writes z. P2 sees z: can it still miss the write of x?"},
    {"W+RWC", "WW+RR+WR", false, "A message and read-to-write causality",
     "P0 writes x, then y. P1 sees y and misses P2's write of z. Can P2, which writes z and then reads x, miss x too?"},
    {"3.SB", "WR+WR+WR", false, "Store buffering of three threads",
     "Each thread writes its own location, then reads the next thread's. Can all three reads miss the writes?"},
    {"3.LB", "RW+RW+RW", false, "Load buffering of three threads",
     "Each thread reads a location, then writes the next one. Can all three reads return what is written only "
     "afterwards?"},
    {"3.2W", "WW+WW+WW", false, "Three threads of two writes",
     "Each thread writes two of three locations, in a ring. Can all three locations end with the first write of a "
     "thread?"},
    {"Z6.0", "WW+RW+WR", false, "Cycle Z6.0",
     "P0 writes x, then y. P1 sees y and writes z. P2 overwrites z and then reads x: can it miss the write of x?"},
    {"Z6.1", "WW+WW+RW", false, "Cycle Z6.1",
     "P0 writes x, then y. P1 overwrites y, then writes z. P2 sees z and writes x: can P0's write of x be the last "
     "one?"},
    {"Z6.2", "WW+RW+RW", false, "Cycle Z6.2",
     "P0 writes x, then y. P1 sees y and writes z. P2 sees z and writes x: can P0's write of x be the last one?"},
    {"Z6.3", "WW+WW+RR", false, "Cycle Z6.3",
     "P0 writes x, then y. P1 overwrites y, then writes z. P2 sees z: can it still miss the write of x?"},
    {"Z6.4", "WW+WR+WR", false, "Cycle Z6.4",
     "P0 writes x, then y. P1 overwrites y and misses P2's write of z. Can P2, which writes z and then reads x, miss "
     "x too?"},
    {"Z6.5", "WW+WW+WR", false, "Cycle Z6.5",
     "P0 writes x, then y. P1 overwrites y, then writes z. P2 overwrites z and then reads x: can it miss the write of "
     "x?"},
    {"IRIW", "W+RR+W+RR", false, "Independent reads of independent writes",
     "P0 writes x and P2 writes y. P1 and P3 read both: can they disagree about which was written first?"},
    {"IRRWIW", "W+RR+W+RW", false, "Independent reads, and a read and a write, of independent writes",
     "P0 writes x. P1 sees it and misses P2's write of y. P3 sees y and writes x: can P0's write of x be the last "
     "one?"},
    {"IRWIW", "W+RW+W+RW", false, "Independent reads and writes of independent writes",
     "P1 sees P0's write of x and writes y. P3 sees P2's write of y and writes x. Can the writes that were seen be "
     "the last ones?"},
    {"4.SB", "WR+WR+WR+WR", false, "Store buffering of four threads",
     "Each thread writes its own location, then reads the next thread's. Can all four reads miss the writes?"},
    {"4.LB", "RW+RW+RW+RW", false, "Load buffering of four threads",
     "Each thread reads a location, then writes the next one. Can all four reads return what is written only "
     "afterwards?"},
    {"4.2W", "WW+WW+WW+WW", false, "Four threads of two writes",
     "Each thread writes two of four locations, in a ring. Can all four locations end with the first write of a "
     "thread?"},
    {"CoRR", "W+RR", true, "Coherence of reads",
     "P0 writes x once and P1 reads x twice. Can P1 see the new value first and the old value second?"},
    {"CoWW", "WW", true, "Coherence of writes", "P0 writes x twice. Can its first write be the last one?"},
    {"CoRW1", "RW", true, "Coherence of a thread's read and later write",
     "P0 reads x, then writes it. Can the read return what is written only afterwards?"},
    {"CoRW2", "W+RW", true, "Coherence of a write that was seen and a later write",
     "P0 writes x. P1 sees it and then writes x: can P0's write be the last one?"},
    {"CoWR", "W+WR", true, "Coherence of a write and a later read",
     "P0 writes x. P1 overwrites it and then reads it: can the read return the value from before both writes?"},
    {"CoWR0", "WR", true, "Coherence of a thread's own write and read",
     "P0 writes x, then reads it. Can the read miss the write?"},
    {NULL, NULL, false, NULL, NULL},
};
