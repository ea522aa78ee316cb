// SPDX-License-Identifier: Apache-2.0
/* Allocation that succeeds or ends the process. If memory runs out, a message goes to standard error and the process
 * ends with exit code 4. What a run has acknowledged is in its database, and a worker that ends costs one job. So no
 * function here returns NULL, and no caller checks. Code that reads input from outside sets its own limits. */
#pragma once

#include <stddef.h>

/* Zeroed memory for count objects of size bytes, to be freed with free(). Never NULL, even for 0 bytes. */
void *memory_take(size_t count, size_t size) __attribute__((returns_nonnull, warn_unused_result));

/* Copies to be freed with free(): of a string, of at most `length` of its bytes, of any bytes. */
char *memory_copy(const char *text) __attribute__((returns_nonnull, warn_unused_result));
char *memory_copy_part(const char *text, size_t length) __attribute__((returns_nonnull, warn_unused_result));

/* An array of *room objects of size bytes, moved and doubled if it is full at count, with all after count zeroed. items
 * may be NULL with a room of 0. */
void *memory_grow(void *items, size_t count, size_t *room, size_t size)
    __attribute__((returns_nonnull, warn_unused_result));

/* Makes room for one more in an array that grows: LIST_ADD(list.items, list.count, list.room) = item. The first
 * argument must have no side effects. */
#define LIST_ADD(items, count, room)                                                                                   \
    (*(((items) = memory_grow((items), (count), &(room), sizeof *(items))), &(items)[(count)++]))

/* How many elements an array has that is no pointer. */
#define COUNT(array) (sizeof(array) / sizeof *(array))
/* A row of a list of a text file (cmake/embed.cmake) as an element of a table. */
#define ROW_OF(...) {__VA_ARGS__},

/* A loop over the items of an array, which stays as it is: FOR_EACH(const struct edge, edge, list.items, list.count).
 * NULL is an array without items. */
#define FOR_EACH(type, item, items, count)                                                                             \
    for (type *item = (items), *item##_end = item ? item + (count) : item; item != item##_end; item++)

/* The first item of an array for which a condition on `item`, a pointer to it, holds, or NULL; whether there is one:
 * ANY_OF(edge, list.edges, list.count, edge->external). */
#define FIRST_OF(item, items, count, ...)                                                                              \
    ({                                                                                                                 \
        __typeof__(*(items)) *item##_found = NULL;                                                                     \
        FOR_EACH(__typeof__(*(items)), item, items, count)                                                             \
            if (__VA_ARGS__) {                                                                                         \
                item##_found = item;                                                                                   \
                break;                                                                                                 \
            }                                                                                                          \
        item##_found;                                                                                                  \
    })
#define ANY_OF(item, items, count, ...) (FIRST_OF(item, items, count, __VA_ARGS__) != NULL)

/* Whether a condition holds for a number from `low` on that is below `end`:
 * ANY_NUMBER(unsigned, i, 0, count, relation_has(relation, i, i)). */
#define ANY_NUMBER(type, number, low, end, ...)                                                                        \
    ({                                                                                                                 \
        bool number##_found = false;                                                                                   \
        for (type number = (low); !number##_found && number < (end); number++)                                         \
            number##_found = (__VA_ARGS__);                                                                            \
        number##_found;                                                                                                \
    })

/* The value of an expression for the first item for which a condition holds, or otherwise another one:
 * VALUE_OF(int, row, rows, COUNT(rows), row->code == code, row->number, 0). */
#define VALUE_OF(type, item, items, count, condition, value, otherwise)                                                \
    ({                                                                                                                 \
        type item##_value = (otherwise);                                                                               \
        FOR_EACH(__typeof__(*(items)), item, items, count)                                                             \
            if (condition) {                                                                                           \
                item##_value = (value);                                                                                \
                break;                                                                                                 \
            }                                                                                                          \
        item##_value;                                                                                                  \
    })

/* The sum of an expression over the items, or with a condition the number of those for which it holds:
 * SUM_OF(size_t, edge, list.edges, list.count, edge->external). */
#define SUM_OF(type, item, items, count, ...)                                                                          \
    ({                                                                                                                 \
        type item##_sum = 0;                                                                                           \
        FOR_EACH(__typeof__(*(items)), item, items, count)                                                             \
            item##_sum += (__VA_ARGS__);                                                                               \
        item##_sum;                                                                                                    \
    })

/* The number of that item in the array; `count`: there is none. */
#define INDEX_OF(item, items, count, ...)                                                                              \
    ({                                                                                                                 \
        size_t item##_index = 0;                                                                                       \
        FOR_EACH(__typeof__(*(items)), item, items, count) {                                                           \
            if (__VA_ARGS__)                                                                                           \
                break;                                                                                                 \
            item##_index++;                                                                                            \
        }                                                                                                              \
        item##_index;                                                                                                  \
    })

/* Below 0, 0 or above it, as strcmp says it: of the numbers or pointers a and b. */
#define ORDER(a, b) ((a) < (b) ? -1 : (a) > (b))

/* Defines a function for qsort and bsearch, by an expression of a and b, which point to two items:
 * ORDERED_BY(by_place, const struct place, ORDER(a->line, b->line) ?: ORDER(a->column, b->column)). */
#define ORDERED_BY(name, type, ...)                                                                                    \
    static int name(const void *left, const void *right)                                                               \
    {                                                                                                                  \
        type *a = left;                                                                                                \
        type *b = right;                                                                                               \
        return __VA_ARGS__;                                                                                            \
    }

/* The same for an array of pointers: a and b are two of them. */
#define POINTERS_BY(name, type, ...)                                                                                   \
    static int name(const void *left, const void *right)                                                               \
    {                                                                                                                  \
        type *a = *(type *const *)left;                                                                                \
        type *b = *(type *const *)right;                                                                               \
        return __VA_ARGS__;                                                                                            \
    }

/* Sorts an array that is no NULL, or has no items. */
#define SORT(items, count, order)                                                                                      \
    do {                                                                                                               \
        if ((count) > 0)                                                                                               \
            qsort((items), (count), sizeof *(items), (order));                                                         \
    } while (0)

/* A local that TYPE_release frees where its block is left, however that is: LOCAL(text) line = {0}; */
#define LOCAL(type) __attribute__((cleanup(type##_release))) struct type

/* A local pointer whose memory is freed where its block is left: FREED double *rates = memory_take(count, ...); */
#define FREED __attribute__((cleanup(memory_free_local)))
void memory_free_local(void *pointer); /* frees what the pointer at this address points to */

/* A parameter that the type of a function has, and this function does not need. */
#define UNUSED __attribute__((unused))

/* Ends the process as described above; size: the bytes that were asked for. For libraries that report failure. */
void memory_fail(size_t size) __attribute__((noreturn));
