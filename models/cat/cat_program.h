// SPDX-License-Identifier: Apache-2.0
/* The program that a model is translated to. */
#pragma once

#include "models/cat/cat.h"

enum cat_operation {
    CAT_BASE,
    CAT_EMPTY,
    CAT_VARIABLE, /* of a `let rec` */
    CAT_ORDER,    /* a total order of the set `left` that contains the relation `right`, to be chosen */
    CAT_UNITE,
    CAT_INTERSECT,
    CAT_SUBTRACT,
    CAT_COMPLEMENT,
    CAT_COMPOSE,
    CAT_INVERT,
    CAT_OPTIONAL,
    CAT_PLUS,
    CAT_STAR,
    CAT_IDENTITY, /* [S] */
    CAT_CROSS,
    CAT_DOMAIN,
    CAT_RANGE,
    CAT_ALL,   /* _ */
    CAT_MEMBER /* e ++ list: only in expressions */
};

enum { CAT_NO_GROUP = -1 };

/* One operation. Its operands precede it, except for the variables of a recursion. */
struct cat_node {
    enum cat_operation operation;
    bool is_set;
    enum stage stage;
    bool uses_dependencies; /* addr, data or ctrl */
    int left, right;        /* nodes, or -1; BASE: left is the index in bases[] */
    int group;              /* the recursion whose variables it depends on, or CAT_NO_GROUP */
    bool needed;            /* by a check, a flag or the enumerator */
    bool grows;             /* needed by a check on a part of the choices */
    bool launched;          /* unneeded or empty if the host orders no launches */
    bool whole;             /* explained by its name alone: defined in the prelude */
    const char *name;       /* that a `let` first gave it, or NULL */
};

enum { CAT_MAXIMUM_VARIABLES = 16 };

/* A `let rec ... and ...`: the least values of its variables that equal the bodies. */
struct cat_group {
    unsigned count;
    int variables[CAT_MAXIMUM_VARIABLES], bodies[CAT_MAXIMUM_VARIABLES];
    int first, end; /* its nodes are among these */
};

enum cat_check_kind { CAT_ACYCLIC, CAT_IRREFLEXIVE, CAT_IS_EMPTY };

struct cat_check {
    enum cat_check_kind kind;
    bool negated;
    int node;
    int rank; /* of the check in the model; shared by early parts of a check */
    enum stage stage;
    const char *name;
    int contained, ordered; /* nodes that the check asks co to contain or to order, or -1 */
    int steps;              /* of its plan, after which its node is computed */
    /* For a flag: nodes that are empty only if it cannot be raised, at STAGE_EVENTS and STAGE_READS; -1: unknown. */
    int early_bound, bound;
};

enum { CAT_MAXIMUM_GROUPS = 64, CAT_MAXIMUM_ORDERS = 4 };

/* The order of computation: numbers of nodes, and of recursions as ~number. What the first check needs comes first,
 * then what the second needs in addition, and so on. */
struct cat_plan {
    int step[CAT_MAXIMUM_NODES + CAT_MAXIMUM_GROUPS];
    int count;
};

struct cat {
    struct arena arena; /* holds what the cat points to */
    struct cat_node nodes[CAT_MAXIMUM_NODES];
    int node_count;
    struct cat_group groups[CAT_MAXIMUM_GROUPS];
    int group_count;
    /* In order of stage when complete; after them, nodes that are computed for a part of the choices. */
    struct cat_check checks[CAT_MAXIMUM_CHECKS * (STAGE_COUNT + 3)];
    int check_count, growing_count, rank_count;
    struct cat_check flags[CAT_MAXIMUM_FLAGS];
    int flag_count;
    struct cat_plan plans[STAGE_ORDERS + 1], plan_of_part;
    int orders[CAT_MAXIMUM_ORDERS]; /* its nodes of CAT_ORDER */
    int order_count;
    bool total;
    bool single; /* read-modify-writes are single events, if the dialect is not an assembly language */
};

union cat_value {
    uint64_t set;
    struct relation relation;
};

/* The view of a model with single read-modify-writes on an execution that has some. */
struct cat_view {
    struct execution execution;
    unsigned char number[EVENTS_MAXIMUM];   /* of each of the execution's events in the view */
    unsigned char original[EVENTS_MAXIMUM]; /* and back: of two halves the read */
};

struct cat_values {
    bool viewed;             /* the values are those of the view */
    struct cat_view *view;   /* or NULL: the model needs none */
    union cat_value node[1]; /* as many as there are nodes */
};

/* The node of an operation: an equal one that exists, or a new one; -1 if there is no room. */
int cat_node(struct cat *cat, enum cat_operation operation, bool is_set, int left, int right);

/* Raises the stage to an operand's, and takes over its dependencies and its recursion. */
void cat_node_add_operand(const struct cat *cat, struct cat_node *node, int operand);

/* Adds the early parts of all checks, sorts them by stage and marks what is needed. */
bool cat_finish(struct cat *cat);
