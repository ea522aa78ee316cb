// SPDX-License-Identifier: Apache-2.0
/* The table of the families with a nickname. */
#include "catalogue/cycles/cycle_parts.h"

#include <stddef.h>

#define BOTH(english, chinese)                                                                                         \
    {                                                                                                                  \
        english, chinese                                                                                               \
    }

const struct nickname nicknames[] = {
    {"MP", "WW+RR", false, BOTH("Message passing", "消息传递"),
     BOTH("P0 writes the data x, then raises the flag y. P1 sees the flag: can the data it reads next still be old?",
          "P0 写数据 x，再置标志 y。P1 看到标志：接着读到的数据会不会仍是旧的？")},
    {"SB", "WR+WR", false, BOTH("Store buffering", "存储缓冲"),
     BOTH("Each thread writes its own location, then reads the other's. Can both reads miss the other thread's write?",
          "每个线程写自己的位置，再读对方的。两个读会不会都看不到对方的写？")},
    {"LB", "RW+RW", false, BOTH("Load buffering", "加载缓冲"),
     BOTH(
         "Each thread reads one location, then writes the other. Can both reads return what is written only afterwards?",
         "每个线程先读一个位置，再写另一个。两个读会不会都读到之后才写的值？")},
    {"R", "WW+WR", false, BOTH("A write race and a read", "写竞争与读"),
     BOTH("P0 writes x, then y. P1 overwrites y and then reads x: can it miss the write of x?",
          "P0 写 x，再写 y。P1 覆盖 y，再读 x：会不会看不到对 x 的写？")},
    {"S", "WW+RW", false, BOTH("A message and a write race", "消息与写竞争"),
     BOTH("P0 writes x, then y. P1 sees y and writes x: can P0's write of x, which came first, be the last one?",
          "P0 写 x，再写 y。P1 看到 y 后写 x：更早的 P0 对 x 的写，会不会反而排在最后？")},
    {"2+2W", "WW+WW", false, BOTH("Two threads of two writes", "两个线程各写两次"),
     BOTH("Both threads write x and y, in opposite orders. Can both locations end with the first write of a thread?",
          "两个线程以相反的次序写 x 和 y。两个位置最后会不会都是某个线程的第一个写？")},
    {"WRC", "W+RW+RR", false, BOTH("Write-to-read causality", "写到读的因果"),
     BOTH("P0 writes x. P1 sees it and writes y. P2 sees y: can it still miss the write of x?",
          "P0 写 x。P1 看到后写 y。P2 看到 y：会不会仍看不到对 x 的写？")},
    {"RWC", "W+RR+WR", false, BOTH("Read-to-write causality", "读到写的因果"),
     BOTH("P0 writes x. P1 sees it and misses P2's write of y. Can P2, which writes y and then reads x, miss x too?",
          "P0 写 x。P1 看到它，却看不到 P2 对 y 的写。先写 y 再读 x 的 P2 会不会也看不到 x？")},
    {"WWC", "W+RW+RW", false, BOTH("Write-to-write causality", "写到写的因果"),
     BOTH("P0 writes x. P1 sees it and writes y. P2 sees y and writes x: can P0's write of x be the last one?",
          "P0 写 x。P1 看到后写 y。P2 看到 y 后写 x：P0 对 x 的写会不会排在最后？")},
    {"WRW+WR", "W+RW+WR", false, BOTH("Causality, a write race and a read", "因果、写竞争与读"),
     BOTH("P0 writes x. P1 sees it and writes y. P2 overwrites y and then reads x: can it miss the write of x?",
          "P0 写 x。P1 看到后写 y。P2 覆盖 y，再读 x：会不会看不到对 x 的写？")},
    {"WRR+2W", "W+RR+WW", false, BOTH("Two reads and two writes", "两次读与两次写"),
     BOTH(
         "P0 writes x. P1 sees it and misses P2's write of y. P2 writes y, then x: can P0's write of x be the last one?",
         "P0 写 x。P1 看到它，却看不到 P2 对 y 的写。P2 写 y，再写 x：P0 对 x 的写会不会排在最后？")},
    {"WRW+2W", "W+RW+WW", false, BOTH("Causality and two write races", "因果与两处写竞争"),
     BOTH("P0 writes x. P1 sees it and writes y. P2 overwrites y, then writes x: can P0's write of x be the last one?",
          "P0 写 x。P1 看到后写 y。P2 覆盖 y，再写 x：P0 对 x 的写会不会排在最后？")},
    {"ISA2", "WW+RW+RR", false, BOTH("Message passing by way of a third thread", "经由第三个线程的消息传递"),
     BOTH("P0 writes x, then y. P1 sees y and writes z. P2 sees z: can it still miss the write of x?",
          "P0 写 x，再写 y。P1 看到 y 后写 z。P2 看到 z：会不会仍看不到对 x 的写？")},
    {"W+RWC", "WW+RR+WR", false, BOTH("A message and read-to-write causality", "消息与读到写的因果"),
     BOTH(
         "P0 writes x, then y. P1 sees y and misses P2's write of z. Can P2, which writes z and then reads x, miss x too?",
         "P0 写 x，再写 y。P1 看到 y，却看不到 P2 对 z 的写。先写 z 再读 x 的 P2 会不会也看不到 x？")},
    {"3.SB", "WR+WR+WR", false, BOTH("Store buffering of three threads", "三个线程的存储缓冲"),
     BOTH("Each thread writes its own location, then reads the next thread's. Can all three reads miss the writes?",
          "每个线程写自己的位置，再读下一个线程的。三个读会不会都看不到写？")},
    {"3.LB", "RW+RW+RW", false, BOTH("Load buffering of three threads", "三个线程的加载缓冲"),
     BOTH("Each thread reads a location, then writes the next one. Can all three reads return what is written only "
          "afterwards?",
          "每个线程读一个位置，再写下一个。三个读会不会都读到之后才写的值？")},
    {"3.2W", "WW+WW+WW", false, BOTH("Three threads of two writes", "三个线程各写两次"),
     BOTH("Each thread writes two of three locations, in a ring. Can all three locations end with the first write of a "
          "thread?",
          "三个位置首尾相接，每个线程写其中两个。三个位置最后会不会都是某个线程的第一个写？")},
    {"Z6.0", "WW+RW+WR", false, BOTH("Cycle Z6.0", "环 Z6.0"),
     BOTH("P0 writes x, then y. P1 sees y and writes z. P2 overwrites z and then reads x: can it miss the write of x?",
          "P0 写 x，再写 y。P1 看到 y 后写 z。P2 覆盖 z，再读 x：会不会看不到对 x 的写？")},
    {"Z6.1", "WW+WW+RW", false, BOTH("Cycle Z6.1", "环 Z6.1"),
     BOTH(
         "P0 writes x, then y. P1 overwrites y, then writes z. P2 sees z and writes x: can P0's write of x be the last "
         "one?",
         "P0 写 x，再写 y。P1 覆盖 y，再写 z。P2 看到 z 后写 x：P0 对 x 的写会不会排在最后？")},
    {"Z6.2", "WW+RW+RW", false, BOTH("Cycle Z6.2", "环 Z6.2"),
     BOTH("P0 writes x, then y. P1 sees y and writes z. P2 sees z and writes x: can P0's write of x be the last one?",
          "P0 写 x，再写 y。P1 看到 y 后写 z。P2 看到 z 后写 x：P0 对 x 的写会不会排在最后？")},
    {"Z6.3", "WW+WW+RR", false, BOTH("Cycle Z6.3", "环 Z6.3"),
     BOTH("P0 writes x, then y. P1 overwrites y, then writes z. P2 sees z: can it still miss the write of x?",
          "P0 写 x，再写 y。P1 覆盖 y，再写 z。P2 看到 z：会不会仍看不到对 x 的写？")},
    {"Z6.4", "WW+WR+WR", false, BOTH("Cycle Z6.4", "环 Z6.4"),
     BOTH(
         "P0 writes x, then y. P1 overwrites y and misses P2's write of z. Can P2, which writes z and then reads x, miss "
         "x too?",
         "P0 写 x，再写 y。P1 覆盖 y，却看不到 P2 对 z 的写。先写 z 再读 x 的 P2 会不会也看不到 x？")},
    {"Z6.5", "WW+WW+WR", false, BOTH("Cycle Z6.5", "环 Z6.5"),
     BOTH(
         "P0 writes x, then y. P1 overwrites y, then writes z. P2 overwrites z and then reads x: can it miss the write of "
         "x?",
         "P0 写 x，再写 y。P1 覆盖 y，再写 z。P2 覆盖 z，再读 x：会不会看不到对 x 的写？")},
    {"IRIW", "W+RR+W+RR", false, BOTH("Independent reads of independent writes", "独立读独立写"),
     BOTH("P0 writes x and P2 writes y. P1 and P3 read both: can they disagree about which was written first?",
          "P0 写 x，P2 写 y。P1 和 P3 各读两者：它们对谁先写的看法会不会不一致？")},
    {"IRRWIW", "W+RR+W+RW", false,
     BOTH("Independent reads, and a read and a write, of independent writes", "对独立写的独立读，以及一读一写"),
     BOTH("P0 writes x. P1 sees it and misses P2's write of y. P3 sees y and writes x: can P0's write of x be the last "
          "one?",
          "P0 写 x。P1 看到它，却看不到 P2 对 y 的写。P3 看到 y 后写 x：P0 对 x 的写会不会排在最后？")},
    {"IRWIW", "W+RW+W+RW", false, BOTH("Independent reads and writes of independent writes", "对独立写的独立读写"),
     BOTH(
         "P1 sees P0's write of x and writes y. P3 sees P2's write of y and writes x. Can the writes that were seen be "
         "the last ones?",
         "P1 看到 P0 对 x 的写后写 y。P3 看到 P2 对 y 的写后写 x。被看到的写会不会反而排在最后？")},
    {"4.SB", "WR+WR+WR+WR", false, BOTH("Store buffering of four threads", "四个线程的存储缓冲"),
     BOTH("Each thread writes its own location, then reads the next thread's. Can all four reads miss the writes?",
          "每个线程写自己的位置，再读下一个线程的。四个读会不会都看不到写？")},
    {"4.LB", "RW+RW+RW+RW", false, BOTH("Load buffering of four threads", "四个线程的加载缓冲"),
     BOTH("Each thread reads a location, then writes the next one. Can all four reads return what is written only "
          "afterwards?",
          "每个线程读一个位置，再写下一个。四个读会不会都读到之后才写的值？")},
    {"4.2W", "WW+WW+WW+WW", false, BOTH("Four threads of two writes", "四个线程各写两次"),
     BOTH("Each thread writes two of four locations, in a ring. Can all four locations end with the first write of a "
          "thread?",
          "四个位置首尾相接，每个线程写其中两个。四个位置最后会不会都是某个线程的第一个写？")},
    {"CoRR", "W+RR", true, BOTH("Coherence of reads", "读的一致性"),
     BOTH("P0 writes x once and P1 reads x twice. Can P1 see the new value first and the old value second?",
          "P0 写 x 一次，P1 读 x 两次。P1 会不会先看到新值，后看到旧值？")},
    {"CoWW", "WW", true, BOTH("Coherence of writes", "写的一致性"),
     BOTH("P0 writes x twice. Can its first write be the last one?", "P0 写 x 两次。第一个写会不会排在最后？")},
    {"CoRW1", "RW", true, BOTH("Coherence of a thread's read and later write", "同一线程先读后写的一致性"),
     BOTH("P0 reads x, then writes it. Can the read return what is written only afterwards?",
          "P0 读 x，再写 x。读会不会读到之后才写的值？")},
    {"CoRW2", "W+RW", true, BOTH("Coherence of a write that was seen and a later write", "看到的写与之后的写的一致性"),
     BOTH("P0 writes x. P1 sees it and then writes x: can P0's write be the last one?",
          "P0 写 x。P1 看到后写 x：P0 的写会不会排在最后？")},
    {"CoWR", "W+WR", true, BOTH("Coherence of a write and a later read", "写与之后的读的一致性"),
     BOTH("P0 writes x. P1 overwrites it and then reads it: can the read return the value from before both writes?",
          "P0 写 x。P1 覆盖它，再读它：会不会读到两次写之前的值？")},
    {"CoWR0", "WR", true, BOTH("Coherence of a thread's own write and read", "线程自己的写与读的一致性"),
     BOTH("P0 writes x, then reads it. Can the read miss the write?", "P0 写 x，再读 x。读会不会看不到这个写？")},
    {NULL, NULL, false, {NULL, NULL}, {NULL, NULL}},
};
