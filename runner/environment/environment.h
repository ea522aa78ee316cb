// SPDX-License-Identifier: Apache-2.0
/* Environments and draws. An environment is a set of distributions; a draw is a sample of them for one batch's launch.
 * A draw is a function of (environment, seed, job key, batch number) and of the device's sizes: equal arguments give
 * equal launch arguments on any machine. ENVIRONMENT_LIST (kernel/environment.txt) has the parameters. */
#pragma once

#include "backends/backend.h"
#include "kernel/kernel.h"

#define PARAMETER_ENUM(name, ...) PARAMETER_##name,
enum parameter { ENVIRONMENT_LIST(PARAMETER_ENUM) PARAMETER_COUNT };

#define MECHANISM_GROUP_ENUM(name, words) MECHANISM_GROUP_##name,
enum mechanism_group { MECHANISM_GROUP_LIST(MECHANISM_GROUP_ENUM) MECHANISM_GROUP_COUNT };

/* A set of parameters: bit i for parameter i of enum parameter. */
typedef uint64_t parameter_set;
_Static_assert(PARAMETER_COUNT <= 64, "a set of parameters has 64 bits");

struct environment_range {
    uint32_t low, high;
};

/* How a search changes a value. */
enum search_step {
    SEARCH_STEP_SHIFT,  /* percentages and offsets: by 1 to 8 up or down */
    SEARCH_STEP_DOUBLE, /* sizes and counts: doubled or halved */
    SEARCH_STEP_ANY     /* numbers without an order: to any value */
};

#define ENVIRONMENT_NAMED UINT32_MAX

/* ENVIRONMENT_LIST as a table, by enum parameter. */
extern const struct environment_parameter {
    const char *name;
    enum parameter_kind { PARAMETER_KIND_RANGE, PARAMETER_KIND_CHANCE } kind;
    uint32_t lowest, highest;
    uint32_t neutral, unnamed; /* unnamed: ENVIRONMENT_NAMED if each environment names it */
    enum mechanism_group mechanism;
    const char *title, *with_value, *meaning; /* with_value: NULL for a chance */
    parameter_set needs;                      /* empty: always has an effect */
    enum draw_word word;                      /* DRAW_STEPS, which is no parameter's: none */
    enum search_step step;
    unsigned searched_with;
    const char *gpu, *cpu; /* what a search chooses among; NULL: it is not searched */
} environment_parameters[PARAMETER_COUNT];

enum {
    ENVIRONMENT_MAXIMUM_OTHERS = 2,   /* members of a portfolio besides the first */
    ENVIRONMENT_MAXIMUM_BATCHES = 16, /* of one member in a turn */
    ENVIRONMENT_MAXIMUM_HOMES = 256   /* bytes of the text of homes */
};

/* A portfolio is several environments whose batches alternate: in each turn the first has `batches`, then each of the
 * others its own number. The fields are the first one's. A batch's environment follows from its number alone, never
 * from outcomes, so a batch can be drawn again, and outcomes have no influence on what is counted. */
struct environment {
    char name[64]; /* of the profile */
    char why[128]; /* the reason for the choice if the profile was not named, else empty; not in the canonical text */
    union {
        struct {
#define ENVIRONMENT_FIELD(name, ...) struct environment_range name;
            ENVIRONMENT_LIST(ENVIRONMENT_FIELD)
        };
        struct environment_range ranges[PARAMETER_COUNT];
    };
    uint32_t other_count; /* 0: no portfolio */
    uint32_t batches;     /* of the first, from 1 to ENVIRONMENT_MAXIMUM_BATCHES; 0: no portfolio */
    struct environment_other {
        uint32_t batches;
        struct environment_range ranges[PARAMETER_COUNT];
    } others[ENVIRONMENT_MAXIMUM_OTHERS];
    /* Where locations of tests for several agents lie: "*=1,x=host", in the order of the names; `*` is every location
     * that is not named. A home is a member's number, or the host. The homes of other locations are drawn. Empty: all
     * are drawn. */
    char homes[ENVIRONMENT_MAXIMUM_HOMES];
};

/* A home that is the host, and one that is drawn; other homes are members' numbers. */
enum { ENVIRONMENT_HOME_HOST = -1, ENVIRONMENT_HOME_DRAWN = -2 };

/* Whether a word names a home: "host", or the number of a member that an ensemble may have. */
bool environment_is_home(const char *word);

/* Replaces the environment's homes by "x=1,y=host"; blanks around names are ignored, and with an empty text all homes
 * are drawn. SYNTAX if the text is malformed, names a location twice, or is too long. */
enum status environment_set_homes(struct environment *environment, const char *text, struct error *error);

/* The home of a location: a member's number from 0, or ENVIRONMENT_HOME_*. */
int environment_home_of(const struct environment *environment, const char *location);

/* How many successive batches of one size a pilot plays. On a processor it plays each member of a portfolio twice:
 * drivers compile a kernel for a size of groups at its first launch, which says nothing about the second. */
uint64_t environment_pilot_repeats(const struct environment *environment, bool gpu);

/* The fewest batches of which each member of a portfolio has at least `each`. */
uint64_t environment_least_batches(const struct environment *environment, uint64_t each);

/* The most instances of a batch of a job of so many: it has ENVIRONMENT_BATCHES batches or more, and each member of a
 * portfolio ENVIRONMENT_MEMBER_BATCHES, with which it is compared draw by draw. */
enum { ENVIRONMENT_BATCHES = 30, ENVIRONMENT_MEMBER_BATCHES = 10 };
uint64_t environment_batch(const struct environment *environment, uint64_t instances);

/* The environment that a batch is drawn from: the member of a portfolio whose turn it is, or the environment itself.
 * The result is not a portfolio. */
struct environment environment_of_batch(const struct environment *environment, uint64_t batch);

/* Leaves only the first member of a portfolio. */
void environment_drop_others(struct environment *environment);

/* The highest value of a parameter that any batch can draw. */
uint32_t environment_highest(const struct environment *environment, enum parameter parameter);

/* The default for a device, with the reason: the profile measured on a device of its name, else the rule for its
 * attributes (environment_by_rule), else "gpu" or "cpu"; "oclgrind" for Oclgrind's device, and
 * "webgpu" or "webcpu" for those of WebGPU. */
void environment_default(const struct backend_device *device, struct environment *environment);

enum { ENVIRONMENT_MAXIMUM_FILE = 256 * 1024 }; /* bytes of a profile */

/* The built-in profiles' names, without `rule`; NULL-terminated. */
extern const char *const environment_profile_names[];

/* A built-in profile by name, `rule`, or an INI file by path: a section [environment] with lines `parameter = value` or
 * `parameter = low..high`; the others come from the built-in profile of its first line, `base = profile`, else from the
 * one for the device, "gpu" or "cpu". A section [portfolio] has lines `profile = batches`, in the order of the turns:
 * built-in profiles that are not portfolios, or the word `environment` for the file's own section. A line `home =
 * x=1,y=host` in [environment] places the locations of tests for several agents (environment_set_homes). UNREADABLE or
 * LIMIT if the file cannot be read; SYNTAX, with the place, if it is wrong. */
enum status environment_load(const char *name_or_path, const struct backend_device *device,
                             struct environment *environment, struct error *error);

/* Reads the text of a profile into an environment. SYNTAX with the place, "NAME:LINE:1". */
enum status environment_read(const char *name, const char *text, struct environment *environment, struct error *error);

/* The canonical text, which is a JSON object of ranges without the name, and its SHA-256. The text leaves out a
 * parameter that has its default value, and homes that are chosen at random. */
void environment_print(const struct environment *environment, struct text *text);
void environment_hash(const struct environment *environment, char hex[65]);

/* Reads a canonical text. */
enum status environment_parse(const char *json, struct environment *environment, struct error *error);

/* Access pattern number n: all sequences over {load, store} of length 1 to 5, n in 0 .. 61. Bit k of *bits is set if
 * access k is a store (the sequences of Sorensen and Donaldson, PLDI 2016). */
void environment_pattern(uint32_t n, uint32_t *bits, uint32_t *length);

/* The device's and the job's limits for a draw. */
struct draw_limits {
    uint32_t resident_groups; /* work-groups held at once, whatever sizes and clusters are drawn */
    uint32_t max_group_size;
    uint32_t sub_group_size;     /* 1 if unknown */
    uint32_t max_cluster_groups; /* largest cluster that may be drawn, in work-groups; 0 or 1: none */
    uint64_t local_bytes;        /* of one work-group */
    bool copies;                 /* stress can make bulk copies */
    bool shared_clock;           /* groups can start at ticks of a clock that they share */
    uint32_t clock_grain;        /* nanoseconds that a reading of it may be wrong */
    /* Of an ensemble, for a kernel of several agents; otherwise unused. The fields above are then the minimum over its
     * members, and resident_groups is unused. */
    uint32_t member_groups[BACKEND_MAXIMUM_MEMBERS]; /* work-groups that each holds at once, while the others do */
    unsigned cpus;                                   /* bit k: member k is a CPU, whose polls take some nanoseconds */
    unsigned homes, atomic_homes;                    /* as in struct backend_device */
    uint64_t batch_instances;     /* maximum of a batch, but at least one round; 0: by the environment */
    uint64_t remaining_instances; /* that the job still needs, which bound the rounds; 0: no limit */
};

/* By MECHANISM_LIST. */
#define MECHANISM_ENUM(name, ...) DRAW_##name##_REQUESTED,
enum draw_mechanism { MECHANISM_LIST(MECHANISM_ENUM) DRAW_MECHANISMS };

/* One batch's launch. */
struct draw {
    uint32_t groups, testing_groups, group_size, rounds;
    uint32_t cluster_groups; /* neighbouring groups of the launch that share a cluster; 1: none do */
    /* One round in three launches, which initialise, play and count: the end of a launch orders reads by an alias or
     * through a proxy after the initial values. Unlike in a detached draw, partners meet before they play. */
    bool separate;
    uint32_t neighbours; /* logical groups that are adjacent in the launch, even if shuffled; 1: none */
    bool detached; /* one round in fresh slots, with separate launches to initialise, play and count: no meetings */
    /* Of a test of several launches, which is also detached: how many, and the order in which the driver gets them;
     * else 0. */
    unsigned launches, order[LITMUS_MAXIMUM_LAUNCHES];
    uint64_t instances;
    uint32_t *words; /* the draw buffer; owned. words[DRAW_STEPS] is set by the caller for each launch */
    size_t word_count;
    size_t local_bytes, memory_words, scratch_words, counter_words;
    /* With several agents, as in struct backend_launch; else 0. counter_words is per member; groups and testing_groups
     * are totals. */
    uint32_t member_groups[BACKEND_MAXIMUM_MEMBERS];
    unsigned homes;
    size_t meeting_words, home_words, homes_place;
    bool requested[DRAW_MECHANISMS];
    struct text json; /* the drawn values, and the SHA-256 of the launch arguments */
};

/* Whether a device's kernels can make bulk copies for stress; devices with clusters have them. */
bool draw_device_copies(const struct backend_device *device);

/* The bytes of local memory of a work-group, with stress by copies of copy_bytes each; 0: without such stress. */
size_t draw_local_bytes(const struct kernel *kernel, uint32_t group_size, uint32_t stride, uint32_t copy_bytes);

/* Draws batch number `batch`. LIMIT or UNSUPPORTED if the test does not fit the device. The caller releases the
 * draw. */
enum status draw_make(const struct environment *environment, const struct kernel *kernel,
                      const struct draw_limits *limits, uint64_t seed, uint64_t job_key, uint64_t batch,
                      struct draw *draw, struct error *error);
void draw_release(struct draw *draw);

/* A launch that measures how many work-groups run at once (STEP_PROBE); it need not count beyond `sought`. */
void draw_probe(const struct kernel *kernel, uint32_t groups, uint32_t sought, uint32_t group_size, uint32_t polls,
                struct draw *draw);

/* The same for a kernel of several agents, with `groups` and `sought` for each member; a member that is not probed has
 * 1 for both. Each member's groups are counted in its own counters. */
void draw_probe_members(const struct kernel *kernel, const uint32_t groups[BACKEND_MAXIMUM_MEMBERS],
                        const uint32_t sought[BACKEND_MAXIMUM_MEMBERS], uint32_t group_size, uint32_t polls,
                        struct draw *draw);

/* ---- candidates ---- */

/* Properties of the tuned tests and devices that make a parameter worth searching. */
enum search_has {
    SEARCH_LOCAL = 1 << 0,    /* some test has locations in local memory, so their stride matters */
    SEARCH_CLUSTERS = 1 << 1, /* some device has clusters */
    SEARCH_PATHS = 1 << 2,    /* some test has aliases or texture, surface or constant memory */
    SEARCH_COPIES = 1 << 3,   /* stress can make bulk copies on some device */
    SEARCH_CLOCK = 1 << 4     /* some device has a clock that all groups share */
};

struct environment_search {
    bool gpu;     /* choices for a GPU, else for a CPU */
    unsigned has; /* bits of enum search_has */
    uint64_t seed;
    const struct environment *start; /* gives every candidate the parameters that are not searched: bounds on spins */
};

/* A candidate drawn from all choices. */
void search_draw(const struct environment_search *search, uint64_t number, struct environment *candidate);

/* A candidate near the parent: one to three of its parameters are drawn again, doubled, halved, shifted, or narrowed to
 * one value of their range. Always different from the parent. */
void search_near(const struct environment_search *search, uint64_t number, const struct environment *parent,
                 struct environment *candidate);
