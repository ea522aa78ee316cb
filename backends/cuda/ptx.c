// SPDX-License-Identifier: Apache-2.0
/* The words of PTX, and the first version of each. */
#include "backends/cuda/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OLDEST_VERSION = 60, OLDEST_TARGET = 70, CLUSTERS = 90 };

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- old enough for every device that orchil supports ---- */

/* Instructions of PTX ISA 6.0 and sm_70 or older, as NVRTC generates them for the skeleton, and as
 * tests contain them. In these lists each word has a blank on both sides. */
static const char old_instructions[] =
    " abs add addc and atom bar barrier bfe bfi bfind bra brev brx call clz cnot cvt cvta div exit fence fma "
    "fns isspacep ld lop3 mad mad24 madc match max membar min mov mul mul24 neg not or popc prefetch prmt red "
    "rem ret sad selp set setp shf shfl shl shr slct st sub subc suld sured sust tex trap vote xor ";

/* Words after a dot in these instructions, of the same age: types, state spaces, the memory model,
 * cache operators, read-modify-writes, comparisons, arithmetic, barriers and warps. */
static const char old_modifiers[] =
    " b 1d 2d trap b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64 pred v2 v4 "
    " const global local param shared nc to "
    " weak volatile relaxed acquire release acq_rel sc cta gpu sys gl "
    " ca cg cs cv lu wb wt L1 L2 "
    " add and cas dec exch inc max min or xor "
    " eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan "
    " wide cc rn rz rm rp rni rzi rmi rpi ftz sat approx full uni idx wrap clamp shiftamt f4e b4e rc8 ecl ecr "
    "rc16 "
    " sync arrive aligned warp red popc all any ballot up down bfly ";

/* Directives, and the words after a dot in declarations. */
static const char old_directives[] =
    " version target address_size visible extern weak common entry func param reg local global shared const "
    "align maxntid reqntid minnctapersm maxnreg pragma file loc section ptr pred b8 b16 b32 b64 u8 u16 u32 "
    "u64 s8 s16 s32 s64 f32 f64 branchtargets calltargets callprototype ";

static const char old_registers[] =
    " r rd rs p f fd tid ntid ctaid nctaid laneid warpid nwarpid smid nsmid gridid clock clock64 globaltimer globaltimer_lo "
    "dynamic_smem_size total_smem_size lanemask_eq lanemask_le lanemask_lt lanemask_ge lanemask_gt ";

/* ---- newer ---- */

enum ptx_part { INSTRUCTION, DIRECTIVE, LOCATION, PRAGMA, REGISTER };

/* Rows from the notes in the PTX ISA. modifier NULL: the word with any modifier; "a.b": b right
 * after a; ".b": right after the word. word NULL: any instruction. */
static const struct {
    enum ptx_part place;
    const char *word, *modifier;
    unsigned version, target;
} newer[] = {
    {INSTRUCTION, NULL, "cluster", 78, 90}, /* the scope of ld, st, atom, red and fence; barrier.cluster */
    {INSTRUCTION, NULL, "shared::cta", 78, 70},
    {INSTRUCTION, NULL, "shared::cluster", 78, 90},
    {INSTRUCTION, NULL, "mmio", 82, 70},
    {INSTRUCTION, NULL, "L1::no_allocate", 74, 70},
    {INSTRUCTION, NULL, "L1::evict_normal", 74, 70},
    {INSTRUCTION, NULL, "L1::evict_unchanged", 74, 70},
    {INSTRUCTION, NULL, "L1::evict_first", 74, 70},
    {INSTRUCTION, NULL, "L1::evict_last", 74, 70},
    {INSTRUCTION, NULL, "L2::64B", 74, 75},
    {INSTRUCTION, NULL, "L2::128B", 74, 75},
    {INSTRUCTION, NULL, "L2::256B", 74, 80},
    {INSTRUCTION, NULL, "L2::cache_hint", 74, 80},
    {INSTRUCTION, "fence", ".acquire", 86, 90}, /* of one direction */
    {INSTRUCTION, "fence", ".release", 86, 90},
    {INSTRUCTION, "fence", "sync_restrict::shared::cta", 86, 90},
    {INSTRUCTION, "fence", "sync_restrict::shared::cluster", 86, 90},
    {INSTRUCTION, "fence", "proxy", 75, 70},
    {INSTRUCTION, "membar", "proxy", 75, 70},
    {INSTRUCTION, "fence", "alias", 75, 70},
    {INSTRUCTION, "membar", "alias", 75, 70},
    {INSTRUCTION, "fence", "async", 80, 90},
    {INSTRUCTION, "fence", "async::generic", 86, 90},
    {INSTRUCTION, "bar", "cta", 78, 70},
    {INSTRUCTION, "barrier", "cta", 78, 70},
    {INSTRUCTION, "barrier", "wait", 78, 90}, /* of a cluster */
    {INSTRUCTION, "barrier", "acquire", 80, 90},
    {INSTRUCTION, "barrier", "relaxed", 80, 90},
    {INSTRUCTION, "barrier", "release", 80, 90},
    {INSTRUCTION, "atom", "b16", 63, 70},
    {INSTRUCTION, "atom", "v2", 81, 90},
    {INSTRUCTION, "atom", "v4", 81, 90},
    {INSTRUCTION, "red", "v2", 81, 90},
    {INSTRUCTION, "red", "v4", 81, 90},
    {INSTRUCTION, "ld", "b128", 83, 70},
    {INSTRUCTION, "st", "b128", 83, 70},
    {INSTRUCTION, "mov", "b128", 83, 70},
    {INSTRUCTION, "atom", "b128", 83, 90},
    {INSTRUCTION, "ld", "v8", 88, 100},
    {INSTRUCTION, "st", "v8", 88, 100},
    {INSTRUCTION, "cvta", "param", 77, 70},
    {INSTRUCTION, "isspacep", "param", 77, 70},
    {INSTRUCTION, "lop3", "and", 82, 70}, /* with a predicate */
    {INSTRUCTION, "lop3", "or", 82, 70},
    {INSTRUCTION, "lop3", "xor", 82, 70},
    {INSTRUCTION, "activemask", NULL, 62, 70},
    {INSTRUCTION, "nanosleep", NULL, 63, 70},
    {INSTRUCTION, "redux", NULL, 70, 80},
    {INSTRUCTION, "discard", NULL, 74, 80},
    {INSTRUCTION, "bmsk", NULL, 76, 70},
    {INSTRUCTION, "szext", NULL, 76, 70},
    {INSTRUCTION, "mapa", NULL, 78, 90},
    {INSTRUCTION, "getctarank", NULL, 78, 90},
    {INSTRUCTION, "elect", NULL, 80, 90},
    {INSTRUCTION, "cp", NULL, 70, 80}, /* asynchronous copies */
    {INSTRUCTION, "cp", "async", 70, 80},
    {INSTRUCTION, "cp", "commit_group", 70, 80},
    {INSTRUCTION, "cp", "wait_group", 70, 80},
    {INSTRUCTION, "cp", "wait_all", 70, 80},
    {INSTRUCTION, "cp", "mbarrier", 70, 80},
    {INSTRUCTION, "cp", "noinc", 70, 80},
    {INSTRUCTION, "cp", "bulk", 80, 90},
    {INSTRUCTION, "cp", "bulk.shared::cta", 86, 90}, /* the destination */
    {INSTRUCTION, "cp", "bulk_group", 80, 90},
    {INSTRUCTION, "cp", "multicast::cluster", 80, 90},
    {INSTRUCTION, "cp", "reduce", 80, 90},
    {INSTRUCTION, "cp", "read", 80, 90},
    {INSTRUCTION, NULL, "mbarrier::complete_tx::bytes", 80, 90},
    {INSTRUCTION, "st", "async", 81, 90},
    {INSTRUCTION, "red", "async", 81, 90},
    {INSTRUCTION, "st", "async.release", 87, 100},
    {INSTRUCTION, "red", "async.release", 87, 100},
    {INSTRUCTION, "fence", "mbarrier_init", 80, 90},
    {INSTRUCTION, "mbarrier", NULL, 70, 80},
    {INSTRUCTION, "mbarrier", "init", 70, 80},
    {INSTRUCTION, "mbarrier", "inval", 70, 80},
    {INSTRUCTION, "mbarrier", "arrive", 71, 80}, /* whose result is dropped: "_" */
    {INSTRUCTION, "mbarrier", "test_wait", 70, 80},
    {INSTRUCTION, "mbarrier", "parity", 71, 80},
    {INSTRUCTION, "mbarrier", "try_wait", 78, 90},
    {INSTRUCTION, "mbarrier", "expect_tx", 80, 90},
    {INSTRUCTION, "mbarrier", "complete_tx", 80, 90},
    {INSTRUCTION, "mbarrier", "acquire", 80, 90},
    {INSTRUCTION, "mbarrier", "release", 80, 90}, /* with a number of arrivals; without one it needs only sm_80 */
    {INSTRUCTION, "mbarrier", "arrive.relaxed", 86, 90},
    {INSTRUCTION, "mbarrier", "parity.relaxed", 86, 90},
    {INSTRUCTION, "mbarrier", "expect_tx.relaxed", 86, 90}, /* of an arrival */
    {DIRECTIVE, "b128", NULL, 83, 70},                      /* registers */
    {DIRECTIVE, "alias", NULL, 63, 70},
    {DIRECTIVE, "noreturn", NULL, 64, 70},
    {DIRECTIVE, "explicitcluster", NULL, 78, 90},
    {DIRECTIVE, "reqnctapercluster", NULL, 78, 90},
    {DIRECTIVE, "maxclusterrank", NULL, 78, 90},
    {LOCATION, "inlined_at", NULL, CUDA_PTX_LINES, 70}, /* of .loc */
    {PRAGMA, "used_bytes_mask", NULL, 83, 70},
    {PRAGMA, "enable_smem_spilling", NULL, 90, 75},
    {PRAGMA, "frequency", NULL, 90, 70},
    {REGISTER, "clusterid", NULL, 78, 90},
    {REGISTER, "nclusterid", NULL, 78, 90},
    {REGISTER, "cluster_ctaid", NULL, 78, 90},
    {REGISTER, "cluster_nctaid", NULL, 78, 90},
    {REGISTER, "cluster_ctarank", NULL, 78, 90},
    {REGISTER, "cluster_nctarank", NULL, 78, 90},
    {REGISTER, "is_explicit_cluster", NULL, 78, 90},
};

/* The first version of PTX for each target (PTX ISA, .target). For a target between two rows, the
 * second row applies. */
static const struct {
    unsigned target, version;
} targets[] = {
    {70, 60}, {72, 61}, {75, 63},  {80, 70},  {86, 71},  {87, 74},  {88, 90},
    {89, 78}, {90, 78}, {100, 86}, {103, 88}, {110, 90}, {120, 87}, {121, 88},
};

/* The version of PTX that came with each CUDA (PTX ISA, release history), oldest first. */
static const struct {
    int cuda; /* as from cuDriverGetVersion */
    unsigned version;
} releases[] = {
    {11000, 70}, {11010, 71}, {11020, 72}, {11030, 73}, {11040, 74}, {11050, 75}, {11060, 76},
    {11070, 77}, {11080, 78}, {12000, 80}, {12010, 81}, {12020, 82}, {12030, 83}, {12040, 84},
    {12050, 85}, {12070, 86}, {12080, 87}, {12090, 88}, {13000, 90}, {13010, 91},
};

unsigned cuda_ptx_version_of_target(unsigned target)
{
    unsigned version = OLDEST_VERSION;
    for (size_t i = 0; i < COUNT(targets) && targets[i].target <= target; i++)
        version = targets[i].version;
    return version;
}

unsigned cuda_ptx_newest(int driver_version)
{
    unsigned version = 0;
    for (size_t i = 0; i < COUNT(releases) && releases[i].cuda <= driver_version; i++)
        version = releases[i].version;
    /* Each CUDA reads all versions that its predecessors read; one newer than the table reads more
     * than the table says. */
    return driver_version >= releases[COUNT(releases) - 1].cuda + 10 ? 0 : version;
}

/* ---- reading PTX ---- */

/* The position of the reader: at the start of a statement, in the operands of an instruction, after
 * a directive, or after a directive that ends with its line. */
enum state { AT_START, IN_INSTRUCTION, IN_DIRECTIVE, IN_LINE };

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           c == '.' || c == '%';
}

/* The length of the word at `at`, including double colons. */
static size_t word_length(const char *at)
{
    size_t length = 0;
    while (is_word(at[length]) || (length > 0 && at[length] == ':' && at[length + 1] == ':') ||
           (length > 1 && at[length] == ':' && at[length - 1] == ':' && at[length - 2] != ':'))
        length++;
    return length;
}

static const char *skip_comment(const char *at)
{
    const char *end = at[1] == '/' ? strchr(at, '\n') : strstr(at + 2, "*/");
    if (!end)
        return at + strlen(at);
    return at[1] == '/' ? end : end + 2;
}

static const char *skip_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : at;
}

static bool listed(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at++)
        if (length > 0 && at > list && at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

static void remember_unknown(struct cuda_ptx_needs *needs, const char *word)
{
    if (needs->unknown[0] == '\0')
        (void)snprintf(needs->unknown, sizeof needs->unknown, "%s", word);
}

/* Adds the needs of a word and a modifier (or NULL) from the table of newer words; false if it has
 * no row for them. */
static bool need_newer(struct cuda_ptx_needs *needs, enum ptx_part place, const char *word, const char *modifier)
{
    bool found = false;
    for (size_t i = 0; i < COUNT(newer); i++) {
        if (newer[i].place != place || (newer[i].word && strcmp(newer[i].word, word) != 0) ||
            (newer[i].modifier == NULL) != (modifier == NULL) || (modifier && strcmp(newer[i].modifier, modifier) != 0))
            continue;
        found = true;
        if (newer[i].version > needs->version)
            needs->version = newer[i].version;
        if (newer[i].target > needs->target)
            needs->target = newer[i].target;
    }
    return found;
}

/* An instruction with its modifiers: "ld.acquire.gpu.global.u32". Changes the text. */
static void need_instruction(struct cuda_ptx_needs *needs, char *instruction)
{
    char *rest = strchr(instruction, '.');
    if (rest)
        *rest++ = '\0';
    if (!need_newer(needs, INSTRUCTION, instruction, NULL) && !listed(old_instructions, instruction))
        remember_unknown(needs, instruction);
    for (const char *last = ""; rest;) {
        char pair[CUDA_PTX_WORD];
        char *const modifier = rest;
        rest = strchr(modifier, '.');
        if (rest)
            *rest++ = '\0';
        if (!need_newer(needs, INSTRUCTION, instruction, modifier) && !listed(old_modifiers, modifier))
            remember_unknown(needs, modifier);
        (void)snprintf(pair, sizeof pair, "%.60s.%.60s", last, modifier);
        (void)need_newer(needs, INSTRUCTION, instruction, pair);
        last = modifier;
    }
}

/* A register: "%rd12", "%tid.x". The kernel's own have a number. Changes the text. */
static void need_register(struct cuda_ptx_needs *needs, char *word)
{
    word[strcspn(word, ".")] = '\0';
    size_t length = strlen(word);
    const bool known = listed(old_registers, word + 1) || need_newer(needs, REGISTER, word + 1, NULL);
    while (!known && length > 1 && word[length - 1] >= '0' && word[length - 1] <= '9')
        word[--length] = '\0';
    if (!known && !listed(old_registers, word + 1))
        remember_unknown(needs, word);
}

static void need_directive(struct cuda_ptx_needs *needs, const char *word)
{
    if (!need_newer(needs, DIRECTIVE, word + 1, NULL) && !listed(old_directives, word + 1))
        remember_unknown(needs, word);
}

/* Adds the needs of a string; only pragmas have strings. An assembler ignores pragmas that it does
 * not know. */
static void need_pragma(struct cuda_ptx_needs *needs, const char *at)
{
    char word[CUDA_PTX_WORD];
    (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(at + 1, " \t;\"\n"), at + 1);
    (void)need_newer(needs, PRAGMA, word, NULL);
}

/* Adds the needs of one word, and advances the state. A word longer than all words of the tables is
 * the name of an operand. */
static void need_word(struct cuda_ptx_needs *needs, enum state *state, const char *at, size_t length)
{
    char word[CUDA_PTX_WORD];
    const bool start = *state == AT_START, letter = (at[0] | 0x20) >= 'a' && (at[0] | 0x20) <= 'z';
    (void)snprintf(word, sizeof word, "%.*s", (int)length, at);
    if (at[0] == '%') {
        need_register(needs, word);
    } else if (at[0] == '.') {
        if (start)
            *state = strcmp(word, ".loc") == 0 || strcmp(word, ".file") == 0 ? IN_LINE : IN_DIRECTIVE;
        need_directive(needs, word);
    } else if (*state == IN_LINE) {
        (void)need_newer(needs, LOCATION, word, NULL);
    } else if (start && letter && at[length] != ':') {
        *state = IN_INSTRUCTION;
        if (length >= sizeof word)
            remember_unknown(needs, word);
        else
            need_instruction(needs, word);
    }
}

/* Whether the word at this place follows "@" or "@!", as the predicate of an instruction. */
static bool is_predicate(const char *ptx, const char *at)
{
    if (at - ptx > 1 && at[-1] == '!')
        at--;
    return at > ptx && at[-1] == '@';
}

/* Whether a sign outside words ends an instruction, a directive or a label. */
static bool is_end(char sign, enum state state)
{
    if (state == IN_LINE)
        return sign == '\n';
    return sign == ';' || (sign == ':' && state == AT_START) || (strchr("{}", sign) && state != IN_INSTRUCTION);
}

void cuda_ptx_examine(const char *ptx, struct cuda_ptx_needs *needs)
{
    enum state state = AT_START;
    *needs = (struct cuda_ptx_needs){.version = OLDEST_VERSION, .target = OLDEST_TARGET};
    for (const char *at = ptx; *at;) {
        const size_t length = word_length(at);
        if (at[0] == '/' && (at[1] == '/' || at[1] == '*')) {
            at = skip_comment(at);
        } else if (*at == '"') {
            need_pragma(needs, at);
            at = skip_string(at);
        } else if (length == 0) {
            if (is_end(*at, state))
                state = AT_START;
            at++;
        } else {
            if (state != AT_START || !is_predicate(ptx, at))
                need_word(needs, &state, at, length);
            at += length;
        }
    }
}

/* ---- stamps ---- */

/* Finds the text after a directive at the start of a line, and its length; NULL if there is
 * none. */
static const char *find_stamp(const char *ptx, const char *directive, size_t *length)
{
    const size_t size = strlen(directive);
    for (const char *at = ptx; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
        if (strncmp(at, directive, size) != 0 || (at[size] != ' ' && at[size] != '\t'))
            continue;
        at += size + strspn(at + size, " \t");
        *length = strcspn(at, " \t\r\n,/");
        return *length > 0 ? at : NULL;
    }
    return NULL;
}

unsigned cuda_ptx_version(const char *ptx)
{
    size_t length;
    unsigned major, minor;
    const char *at = find_stamp(ptx, ".version", &length);
    return at && sscanf(at, "%3u.%1u", &major, &minor) == 2 ? 10 * major + minor : 0;
}

unsigned cuda_ptx_target(const char *ptx)
{
    size_t length;
    unsigned target;
    const char *at = find_stamp(ptx, ".target", &length);
    return at && sscanf(at, "sm_%4u", &target) == 1 ? target : 0;
}

/* Appends the text without the lines that tell the assembler which bytes of a vector load are used.
 * They do not change the meaning of the load, and drivers before PTX 8.3 refuse them. */
static void drop_hints(const char *ptx, struct text *bare)
{
    static const char hint[] = ".pragma \"used_bytes_mask ";
    while (*ptx) {
        const size_t length = strcspn(ptx, "\n") + (ptx[strcspn(ptx, "\n")] == '\n');
        if (strncmp(ptx + strspn(ptx, " \t"), hint, sizeof hint - 1) != 0)
            text_add_bytes(bare, ptx, length);
        ptx += length;
    }
}

/* cuda_ptx_stamp for a text without hints. */
static void stamp_bare(const char *ptx, bool lower_target, bool clusters, struct text *stamped,
                       struct cuda_ptx_needs *needs)
{
    size_t version_length, target_length;
    const char *version_at = find_stamp(ptx, ".version", &version_length);
    const char *target_at = find_stamp(ptx, ".target", &target_length);
    unsigned target = cuda_ptx_target(ptx);
    cuda_ptx_examine(ptx, needs);
    if (clusters && needs->target < CLUSTERS)
        needs->target = CLUSTERS;
    /* A target that ends in a letter (sm_90a) cannot be replaced by another, and has its own
     * versions. */
    const bool plain = target_at && strcspn(target_at, "af") >= target_length;
    if (needs->unknown[0] != '\0' || !version_at || !plain || target == 0 || version_at > target_at) {
        text_add(stamped, "%s", ptx);
        return;
    }
    if (lower_target || needs->target > target)
        target = needs->target;
    const unsigned of_target = cuda_ptx_version_of_target(target);
    const unsigned version = of_target > needs->version ? of_target : needs->version;
    text_add_bytes(stamped, ptx, (size_t)(version_at - ptx));
    text_add(stamped, "%u.%u", version / 10, version % 10);
    text_add_bytes(stamped, version_at + version_length, (size_t)(target_at - version_at) - version_length);
    text_add(stamped, "sm_%u%s", target, target_at + target_length);
}

void cuda_ptx_stamp(const char *ptx, bool lower_target, bool clusters, struct text *stamped,
                    struct cuda_ptx_needs *needs)
{
    struct text bare = {0};
    drop_hints(ptx, &bare);
    stamp_bare(text_string(&bare), lower_target, clusters, stamped, needs);
    text_release(&bare);
}

/* ---- unused variables ---- */

static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* Whether the text contains the word outside this line. */
static bool is_named(const char *ptx, const char *line, size_t line_size, const char *word, size_t size)
{
    for (const char *at = ptx; (at = memmem(at, strlen(at), word, size)) != NULL; at += size)
        if ((at < line || at >= line + line_size) && !is_of_name(at[size]) && (at == ptx || !is_of_name(at[-1])))
            return true;
    return false;
}

/* Whether a line declares an unused variable: in ".global .align 4 .u32 NAME = 3;" the name is the
 * word before "=", "[" or ";". */
static bool is_unused(const char *ptx, const char *line, size_t line_size)
{
    static const char start[] = ".global ";
    if (line_size < sizeof start || strncmp(line, start, sizeof start - 1) != 0)
        return false;
    size_t end = strcspn(line, "=[;\n");
    while (end > 0 && line[end - 1] == ' ')
        end--;
    size_t first = end;
    while (first > 0 && is_of_name(line[first - 1]))
        first--;
    return line[line_size - 1] == ';' && end > first && !is_named(ptx, line, line_size, line + first, end - first);
}

void cuda_ptx_drop_unused(const char *ptx, struct text *kept)
{
    for (const char *line = ptx; *line;) {
        const size_t size = strcspn(line, "\n"), with_end = size + (line[size] != '\0');
        if (!is_unused(ptx, line, size))
            text_add_bytes(kept, line, with_end);
        line += with_end;
    }
}
