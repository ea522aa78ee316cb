// SPDX-License-Identifier: Apache-2.0
/* Words of PTX's loads and stores that say how they treat caches: operators, hints, .nc, .mmio and .proxy::readonly. */
#include "litmus/parse/ptx_cell.h"

size_t ptx_take_cache_word(struct ptx_cell *cell, size_t index)
{
    struct ptx_modifiers *modifiers = &cell->modifiers;
    struct token word = cell->parts[index];
    size_t count = 1;
    if (token_is(&word, "nc") || token_is(&word, "mmio")) {
        bool *const flag = token_is(&word, "nc") ? &modifiers->read_only : &modifiers->mmio;
        const bool again = *flag;
        *flag = true;
        return again ? 0 : 1;
    }
    if (index + 1 < cell->part_count && cell->parts[index + 1].text[0] == ':') {
        const struct token *end = &cell->parts[index + 1];
        word.size = (size_t)(end->text + end->size - word.text);
        count = 2;
    }
    if (token_is(&word, "proxy::readonly")) {
        const bool again = modifiers->readonly_proxy;
        modifiers->readonly_proxy = true;
        return again ? 0 : count;
    }
    const int cache = ptx_find_cache(word.text, word.size);
    enum litmus_cache *const slot = cache >= LITMUS_CACHE_PREFETCH_64 ? &modifiers->prefetch : &modifiers->cache;
    if (cache == LITMUS_NONE || *slot != LITMUS_CACHE_NONE)
        return 0;
    *slot = (enum litmus_cache)cache;
    return count;
}

/* PTX ISA, ld and st: .mmio is .relaxed.sys, of one value in global memory, with no hint. */
static enum status check_mmio(const struct ptx_cell *cell)
{
    const struct ptx_modifiers *modifiers = &cell->modifiers;
    const bool right = cell->instruction->means.shape <= PTX_STORE && modifiers->order == LITMUS_RELAXED &&
                       modifiers->scope == LITMUS_ALL_DEVICES && modifiers->space != LITMUS_LOCAL &&
                       (modifiers->lanes == 0 || modifiers->whole) && !modifiers->read_only &&
                       modifiers->cache == LITMUS_CACHE_NONE && modifiers->prefetch == LITMUS_CACHE_NONE;
    return right ? STATUS_OK
                 : ptx_expected_whole(cell, "ld.mmio.relaxed.sys or st.mmio.relaxed.sys of one value in global memory, "
                                            "without a cache operator or hint");
}

static enum status check_read_only(const struct ptx_cell *cell)
{
    const struct ptx_modifiers *modifiers = &cell->modifiers;
    const bool right = cell->instruction->means.shape == PTX_LOAD && modifiers->order == LITMUS_NONE &&
                       modifiers->scope == LITMUS_NONE && modifiers->space == LITMUS_GLOBAL;
    return right ? STATUS_OK : ptx_expected_whole(cell, "ld.global.nc, which has no order and no scope");
}

/* PTX ISA, ld: .proxy::readonly is a form of its own, for global and constant memory. */
static enum status check_readonly_proxy(const struct ptx_cell *cell)
{
    const struct ptx_modifiers *modifiers = &cell->modifiers;
    const bool right = cell->instruction->means.shape == PTX_LOAD && modifiers->order == LITMUS_NONE &&
                       modifiers->scope == LITMUS_NONE && modifiers->space != LITMUS_LOCAL && modifiers->lanes == 0 &&
                       !modifiers->read_only && !modifiers->mmio && modifiers->cache == LITMUS_CACHE_NONE &&
                       modifiers->prefetch == LITMUS_CACHE_NONE;
    return right ? STATUS_OK
                 : ptx_expected_whole(cell, "ld.proxy::readonly of one value in global memory, without an order, a "
                                            "scope or a hint");
}

enum status ptx_check_cache(struct ptx_cell *cell)
{
    const struct ptx_modifiers *modifiers = &cell->modifiers;
    const bool weak = modifiers->order == LITMUS_NONE || modifiers->order == LITMUS_PLAIN;
    if (modifiers->mmio)
        TRY(check_mmio(cell));
    if (modifiers->read_only)
        TRY(check_read_only(cell));
    if (modifiers->readonly_proxy)
        TRY(check_readonly_proxy(cell));
    const enum ptx_shape shape = cell->instruction->means.shape;
    const unsigned instructions = shape == PTX_LOAD    ? modifiers->read_only ? PTX_ON_READ_ONLY : PTX_ON_LOADS
                                  : shape == PTX_STORE ? PTX_ON_STORES
                                                       : 0;
    if (!ptx_has_cache(instructions, modifiers->cache) || !ptx_has_cache(instructions, modifiers->prefetch))
        return ptx_expected_whole(cell, modifiers->read_only ? "a cache operator or hint of ld.global.nc (not cv or lu)"
                                        : shape == PTX_LOAD  ? "a cache operator of loads: ca, cg, cs, cv or lu"
                                        : shape == PTX_STORE
                                            ? "a cache operator of stores: wb, cg, cs or wt, and no prefetch"
                                            : "no cache operator (only loads and stores have one)");
    if (litmus_cache_is_operator(modifiers->cache) && !weak)
        return ptx_expected_whole(cell, "a weak access with that cache operator (hints such as L1::no_allocate go with "
                                        "other orders)");
    if (modifiers->cache != LITMUS_CACHE_NONE && modifiers->order == LITMUS_VOLATILE)
        return ptx_expected_whole(cell, "no eviction hint with a volatile access");
    return STATUS_OK;
}
