// SPDX-License-Identifier: Apache-2.0
/* The description of a variant's test, in Chinese. */
#include <string.h>

#include "catalogue/cycles/variant_parts.h"
#include "litmus/dialects.h"

/* ---- words and sentences, by their English ---- */

static const struct {
    const char *english, *chinese;
} translations[] = {
    /* titles of families */
    {"Message passing", "消息传递"},
    {"Store buffering", "存储缓冲"},
    {"Load buffering", "加载缓冲"},
    {"A write race and a read", "写竞争与读"},
    {"A message and a write race", "消息与写竞争"},
    {"Two threads of two writes", "两个线程各写两次"},
    {"Write-to-read causality", "写到读的因果"},
    {"Read-to-write causality", "读到写的因果"},
    {"Write-to-write causality", "写到写的因果"},
    {"Causality, a write race and a read", "因果、写竞争与读"},
    {"Two reads and two writes", "两次读与两次写"},
    {"Causality and two write races", "因果与两处写竞争"},
    {"Message passing by way of a third thread", "经由第三个线程的消息传递"},
    {"A message and read-to-write causality", "消息与读到写的因果"},
    {"Store buffering of three threads", "三个线程的存储缓冲"},
    {"Load buffering of three threads", "三个线程的加载缓冲"},
    {"Three threads of two writes", "三个线程各写两次"},
    {"Cycle Z6.0", "环 Z6.0"},
    {"Cycle Z6.1", "环 Z6.1"},
    {"Cycle Z6.2", "环 Z6.2"},
    {"Cycle Z6.3", "环 Z6.3"},
    {"Cycle Z6.4", "环 Z6.4"},
    {"Cycle Z6.5", "环 Z6.5"},
    {"Independent reads of independent writes", "独立读独立写"},
    {"Independent reads, and a read and a write, of independent writes", "对独立写的独立读，以及一读一写"},
    {"Independent reads and writes of independent writes", "对独立写的独立读写"},
    {"Store buffering of four threads", "四个线程的存储缓冲"},
    {"Load buffering of four threads", "四个线程的加载缓冲"},
    {"Four threads of two writes", "四个线程各写两次"},
    {"Coherence of reads", "读的一致性"},
    {"Coherence of writes", "写的一致性"},
    {"Coherence of a thread's read and later write", "同一线程先读后写的一致性"},
    {"Coherence of a write that was seen and a later write", "看到的写与之后的写的一致性"},
    {"Coherence of a write and a later read", "写与之后的读的一致性"},
    {"Coherence of a thread's own write and read", "线程自己的写与读的一致性"},
    /* their questions */
    {"P0 writes the data x, then raises the flag y. P1 sees the flag: can the data it reads next still be old?",
     "P0 写数据 x，再置标志 y。P1 看到标志：接着读到的数据会不会仍是旧的？"},
    {"Each thread writes its own location, then reads the other's. Can both reads miss the other thread's write?",
     "每个线程写自己的位置，再读对方的。两个读会不会都看不到对方的写？"},
    {"Each thread reads one location, then writes the other. Can both reads return what is written only afterwards?",
     "每个线程先读一个位置，再写另一个。两个读会不会都读到之后才写的值？"},
    {"P0 writes x, then y. P1 overwrites y and then reads x: can it miss the write of x?",
     "P0 写 x，再写 y。P1 覆盖 y，再读 x：会不会看不到对 x 的写？"},
    {"P0 writes x, then y. P1 sees y and writes x: can P0's write of x, which came first, be the last one?",
     "P0 写 x，再写 y。P1 看到 y 后写 x：更早的 P0 对 x 的写，会不会反而排在最后？"},
    {"Both threads write x and y, in opposite orders. Can both locations end with the first write of a thread?",
     "两个线程以相反的次序写 x 和 y。两个位置最后会不会都是某个线程的第一个写？"},
    {"P0 writes x. P1 sees it and writes y. P2 sees y: can it still miss the write of x?",
     "P0 写 x。P1 看到后写 y。P2 看到 y：会不会仍看不到对 x 的写？"},
    {"P0 writes x. P1 sees it and misses P2's write of y. Can P2, which writes y and then reads x, miss x too?",
     "P0 写 x。P1 看到它，却看不到 P2 对 y 的写。先写 y 再读 x 的 P2 会不会也看不到 x？"},
    {"P0 writes x. P1 sees it and writes y. P2 sees y and writes x: can P0's write of x be the last one?",
     "P0 写 x。P1 看到后写 y。P2 看到 y 后写 x：P0 对 x 的写会不会排在最后？"},
    {"P0 writes x. P1 sees it and writes y. P2 overwrites y and then reads x: can it miss the write of x?",
     "P0 写 x。P1 看到后写 y。P2 覆盖 y，再读 x：会不会看不到对 x 的写？"},
    {"P0 writes x. P1 sees it and misses P2's write of y. P2 writes y, then x: can P0's write of x be the last one?",
     "P0 写 x。P1 看到它，却看不到 P2 对 y 的写。P2 写 y，再写 x：P0 对 x 的写会不会排在最后？"},
    {"P0 writes x. P1 sees it and writes y. P2 overwrites y, then writes x: can P0's write of x be the last one?",
     "P0 写 x。P1 看到后写 y。P2 覆盖 y，再写 x：P0 对 x 的写会不会排在最后？"},
    {"P0 writes x, then y. P1 sees y and writes z. P2 sees z: can it still miss the write of x?",
     "P0 写 x，再写 y。P1 看到 y 后写 z。P2 看到 z：会不会仍看不到对 x 的写？"},
    {"P0 writes x, then y. P1 sees y and misses P2's write of z. Can P2, which writes z and then reads x, miss x too?",
     "P0 写 x，再写 y。P1 看到 y，却看不到 P2 对 z 的写。先写 z 再读 x 的 P2 会不会也看不到 x？"},
    {"Each thread writes its own location, then reads the next thread's. Can all three reads miss the writes?",
     "每个线程写自己的位置，再读下一个线程的。三个读会不会都看不到写？"},
    {"Each thread reads a location, then writes the next one. Can all three reads return what is written only "
     "afterwards?",
     "每个线程读一个位置，再写下一个。三个读会不会都读到之后才写的值？"},
    {"Each thread writes two of three locations, in a ring. Can all three locations end with the first write of a "
     "thread?",
     "三个位置首尾相接，每个线程写其中两个。三个位置最后会不会都是某个线程的第一个写？"},
    {"P0 writes x, then y. P1 sees y and writes z. P2 overwrites z and then reads x: can it miss the write of x?",
     "P0 写 x，再写 y。P1 看到 y 后写 z。P2 覆盖 z，再读 x：会不会看不到对 x 的写？"},
    {"P0 writes x, then y. P1 overwrites y, then writes z. P2 sees z and writes x: can P0's write of x be the last "
     "one?",
     "P0 写 x，再写 y。P1 覆盖 y，再写 z。P2 看到 z 后写 x：P0 对 x 的写会不会排在最后？"},
    {"P0 writes x, then y. P1 sees y and writes z. P2 sees z and writes x: can P0's write of x be the last one?",
     "P0 写 x，再写 y。P1 看到 y 后写 z。P2 看到 z 后写 x：P0 对 x 的写会不会排在最后？"},
    {"P0 writes x, then y. P1 overwrites y, then writes z. P2 sees z: can it still miss the write of x?",
     "P0 写 x，再写 y。P1 覆盖 y，再写 z。P2 看到 z：会不会仍看不到对 x 的写？"},
    {"P0 writes x, then y. P1 overwrites y and misses P2's write of z. Can P2, which writes z and then reads x, miss "
     "x too?",
     "P0 写 x，再写 y。P1 覆盖 y，却看不到 P2 对 z 的写。先写 z 再读 x 的 P2 会不会也看不到 x？"},
    {"P0 writes x, then y. P1 overwrites y, then writes z. P2 overwrites z and then reads x: can it miss the write of "
     "x?",
     "P0 写 x，再写 y。P1 覆盖 y，再写 z。P2 覆盖 z，再读 x：会不会看不到对 x 的写？"},
    {"P0 writes x and P2 writes y. P1 and P3 read both: can they disagree about which was written first?",
     "P0 写 x，P2 写 y。P1 和 P3 各读两者：它们对谁先写的看法会不会不一致？"},
    {"P0 writes x. P1 sees it and misses P2's write of y. P3 sees y and writes x: can P0's write of x be the last "
     "one?",
     "P0 写 x。P1 看到它，却看不到 P2 对 y 的写。P3 看到 y 后写 x：P0 对 x 的写会不会排在最后？"},
    {"P1 sees P0's write of x and writes y. P3 sees P2's write of y and writes x. Can the writes that were seen be "
     "the last ones?",
     "P1 看到 P0 对 x 的写后写 y。P3 看到 P2 对 y 的写后写 x。被看到的写会不会反而排在最后？"},
    {"Each thread writes its own location, then reads the next thread's. Can all four reads miss the writes?",
     "每个线程写自己的位置，再读下一个线程的。四个读会不会都看不到写？"},
    {"Each thread reads a location, then writes the next one. Can all four reads return what is written only "
     "afterwards?",
     "每个线程读一个位置，再写下一个。四个读会不会都读到之后才写的值？"},
    {"Each thread writes two of four locations, in a ring. Can all four locations end with the first write of a "
     "thread?",
     "四个位置首尾相接，每个线程写其中两个。四个位置最后会不会都是某个线程的第一个写？"},
    {"P0 writes x once and P1 reads x twice. Can P1 see the new value first and the old value second?",
     "P0 写 x 一次，P1 读 x 两次。P1 会不会先看到新值，后看到旧值？"},
    {"P0 writes x twice. Can its first write be the last one?", "P0 写 x 两次。第一个写会不会排在最后？"},
    {"P0 reads x, then writes it. Can the read return what is written only afterwards?",
     "P0 读 x，再写 x。读会不会读到之后才写的值？"},
    {"P0 writes x. P1 sees it and then writes x: can P0's write be the last one?",
     "P0 写 x。P1 看到后写 x：P0 的写会不会排在最后？"},
    {"P0 writes x. P1 overwrites it and then reads it: can the read return the value from before both writes?",
     "P0 写 x。P1 覆盖它，再读它：会不会读到两次写之前的值？"},
    {"P0 writes x, then reads it. Can the read miss the write?", "P0 写 x，再读 x。读会不会看不到这个写？"},
    /* what all threads share */
    {"relaxed accesses", "relaxed 访问"},
    {"weak accesses", "weak 访问"},
    {"plain accesses", "普通访问"},
    {"volatile accesses", "volatile 访问"},
    {"sequentially consistent accesses", "seq_cst 访问"},
    {"release stores and acquire loads", "release 写与 acquire 读"},
    {"release stores", "release 写"},
    {"acquire loads", "acquire 读"},
    {"release and acquire", "release 与 acquire"},
    {"acquire-release fences", "acq_rel 栅栏"},
    {"sequentially consistent fences", "seq_cst 栅栏"},
    {"acquire fences", "acquire 栅栏"},
    {"release fences", "release 栅栏"},
    {"a release fence and an acquire fence", "一个 release 栅栏与一个 acquire 栅栏"},
    {"address dependencies", "地址依赖"},
    {"data dependencies", "数据依赖"},
    {"control dependencies", "控制依赖"},
    /* how a feature is made, and reasons */
    {"The dependency takes a bit of the value read that is always 0, which no compiler can know.",
     "依赖取自读到的值中恒为 0 的一位，而编译器无从得知它恒为 0。"},
    {"What follows the branch happens only where the read before it gave the value of the witness.",
     "只有分支之前的读得到见证结果的值，分支之后的操作才会执行。"},
    {"Relaxed atomic accesses of different locations keep no order.", "不同位置的 relaxed 原子访问之间没有次序。"},
    {"Ordinary accesses keep no order that another thread could rely on.", "普通访问没有别的线程可以依赖的次序。"},
    {"Volatile accesses keep no order between locations.", "不同位置的 volatile 访问之间没有次序。"},
    {"Release and acquire order a write before the reads that see it. Two steps of this cycle are not such reads, and "
     "nothing orders them.",
     "release 与 acquire 使写先于看到它的读。这个环有两步不是这样的读，没有任何东西为它们排序。"},
    {"OpenCL's order of fences covers only what precedes or follows a fence, and one thread has none.",
     "OpenCL 的栅栏次序只管栅栏之前和之后的操作，而有一个线程没有栅栏。"},
    {"A scope of the block does not reach the threads of another block, so order is lost there.",
     "线程块作用域不包含另一个线程块的线程，次序到那里就断了。"},
    {"A scope of the work-group does not reach the work-items of another group, so order is lost there.",
     "工作组作用域不包含另一个工作组的工作项，次序到那里就断了。"},
    {"A scope of the cluster does not reach the threads of another cluster, so order is lost there.",
     "簇作用域不包含另一个簇的线程，次序到那里就断了。"},
    {"The scope does not include the other thread, so its order is lost there.",
     "作用域不包含另一个线程，次序到那里就断了。"},
    {"The orders do not name the storage class of the data, so they leave it out.",
     "次序没有指定数据的存储类，所以管不到数据。"},
    {"Local and global memory are different memories, and these orders do not span both.",
     "局部内存与全局内存是两种内存，这里的次序没有同时覆盖两者。"},
    {"A dependency does not synchronise with another thread.", "依赖不会与另一个线程同步。"},
    {"Not every step of the cycle is ordered, and one that is not is enough.",
     "环中并非每一步都有次序，只要一步没有就够了。"},
    {"A thread sees its own accesses of one location in program order, ordinary ones too.",
     "线程按程序次序看到自己对同一位置的访问，普通访问也一样。"},
    {"All threads agree on the order of the writes of one location, and no thread goes back in it.",
     "所有线程对同一位置的写的次序看法一致，没有线程会倒退。"},
    {"RC11 keeps a thread's writes after its earlier reads, relaxed ones too.",
     "RC11 使线程的写排在它更早的读之后，relaxed 也一样。"},
    {"All sequentially consistent accesses have one order, and none agrees with this outcome.",
     "所有 seq_cst 访问有唯一的全序，没有一种全序能得出这一结果。"},
    {"All sequentially consistent fences have one order, and none agrees with this outcome.",
     "所有 seq_cst 栅栏有唯一的全序，没有一种全序能得出这一结果。"},
    {"The value of the witness would have to come out of thin air.", "见证结果的值只能是凭空出现的。"},
    {"The fences synchronise: what precedes the first happens before what follows the second.",
     "两个栅栏相互同步：前一个栅栏之前的操作，先于后一个栅栏之后的操作。"},
    {"The acquire reads from the release: what precedes the release happens before what follows the acquire.",
     "acquire 读到了 release 写的值：release 之前的操作先于 acquire 之后的操作。"},
    {"Every step of the cycle is ordered, and no execution goes in a circle.",
     "环中每一步都有次序，而执行不可能首尾相接。"},
};

const char *variant_in_chinese(const char *english)
{
    if (strcmp(english, variant_race_sentence) == 0)
        return "有两个冲突的访问，没有任何东西为它们排序：测试有竞争，结果没有意义。";
    for (size_t i = 0; i < sizeof translations / sizeof *translations; i++)
        if (strcmp(translations[i].english, english) == 0)
            return translations[i].chinese;
    return NULL;
}

/* ---- lines ---- */

static void add_sentence(const char *english, struct text *text)
{
    const char *chinese = variant_in_chinese(english);
    text_add(text, "%s", chinese ? chinese : english);
}

static void add_region(const struct variant *variant, struct text *text)
{
    if (variant->local == 0)
        return;
    text_add(text, "，");
    if (variant->local != variant_locations(variant))
        for (unsigned i = 0, added = 0; i < CYCLE_MAXIMUM_EDGES; i++)
            if (variant->local >> i & 1)
                text_add(text, "%s%c", added++ > 0 ? "、" : "", variant_letters[i]);
    text_add(text, dialects[variant->dialect].has_atomic_types ? "在局部内存"
                   : dialects[variant->dialect].has_semantics  ? "在工作组内存"
                                                               : "在共享内存");
}

static void add_group(const struct variant *variant, unsigned group, struct text *text)
{
    unsigned members = 0;
    for (unsigned i = 0; i < variant->threads; i++)
        members += variant->work_group[i] == group;
    if (members < 2)
        return;
    text_add(text, "，");
    for (unsigned i = 0, added = 0; i < variant->threads && members < variant->threads; i++)
        if (variant->work_group[i] == group)
            text_add(text, "%sP%u", added++ > 0 ? "、" : "", i);
    const bool nvidia = dialects[variant->dialect].is_nvidia;
    text_add(text, "在同一%s",
             variant->one_sub_group[group] ? (nvidia ? " warp" : "子组")
             : nvidia                      ? "线程块"
                                           : "工作组");
}

static void add_title(const struct variant *variant, const char *family, const char *expect, struct text *text)
{
    static const char *const rmw_words[] = {
        [VARIANT_NO_RMW] = "",
        [VARIANT_RMW_WRITES] = "，写用交换",
        [VARIANT_RMW_READS] = "，读用加 0",
        [VARIANT_RMW_ALL] = "，所有访问都是读-改-写",
    };
    static const char *const plain_words[VARIANT_PLAIN_COUNT] = {
        [VARIANT_PLAIN_SHOWN] = "自己可用、可见",         [VARIANT_PLAIN_BY_ORDERS] = "由次序使其可用、可见",
        [VARIANT_PLAIN_AVAILABLE] = "可用而不可见",       [VARIANT_PLAIN_VISIBLE] = "可见而不可用",
        [VARIANT_PLAIN_NON_PRIVATE] = "既不可用也不可见", [VARIANT_PLAIN_PRIVATE] = "是私有的",
    };
    const char *title = cycle_title(family), *shared = variant_shared_words(variant);
    if (title)
        add_sentence(title, text);
    else
        text_add(text, "环 %s", family);
    text_add(text, "，");
    if (shared)
        add_sentence(shared, text);
    else
        text_add(text, "各线程的访问不同");
    text_add(text, "%s", rmw_words[variant->rmw]);
    if (variant_has_plain(variant) && dialects[variant->dialect].has_semantics)
        text_add(text, "，普通访问%s", plain_words[variant->plain]);
    add_region(variant, text);
    if (variant_classes_word(variant))
        text_add(text, "，语义只指定 %s", variant_classes_word(variant));
    if (variant->scope != LITMUS_DEVICE && variant->local != variant_locations(variant))
        text_add(text, "，作用域 %s", variant_abilities[variant->dialect].scope_words[variant->scope]);
    for (unsigned group = 0; group < variant_groups(variant) && variant->threads > 1; group++)
        add_group(variant, group, text);
    if (variant->one_cluster)
        text_add(text, "，在同一簇");
    if (variant->own_families)
        text_add(text, "，各工作组在不同的队列族");
    text_add(text, "%s",
             strcmp(expect, "allowed") == 0     ? "：允许。"
             : strcmp(expect, "forbidden") == 0 ? "：禁止。"
             : strcmp(expect, "undefined") == 0 ? "：未定义。"
                                                : "。");
}

bool variant_describe_in_chinese(const struct litmus_test *test, struct text *text)
{
    struct variant variant;
    struct error error;
    struct text family = {0};
    const bool racy = test->doc && strstr(test->doc, "the test is racy");
    const char *given = litmus_metadata(test, "Expect"), *expect = given ? given : racy ? "undefined" : "";
    if (!litmus_metadata(test, "Cycle") || variant_parse_name(test->dialect, test->name, &variant, &error) != STATUS_OK)
        return false;
    cycle_family(&variant.cycle, &family);
    add_title(&variant, text_string(&family), expect, text);
    const char *const sentences[] = {cycle_question(text_string(&family)), variant_feature(&variant, 0),
                                     variant_feature(&variant, 1),
                                     racy ? variant_race_sentence : variant_reason(&variant, expect)};
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        if (!sentences[i])
            continue;
        text_add(text, "\n");
        add_sentence(sentences[i], text);
    }
    text_release(&family);
    return true;
}
