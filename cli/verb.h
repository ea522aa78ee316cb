// SPDX-License-Identifier: Apache-2.0
/* The verbs of the command line: one file and one row in main.c each. */
#ifndef ORCHIL_CLI_VERB_H
#define ORCHIL_CLI_VERB_H

/* Each parses its own arguments (argv[0] is "orchil VERB") and gives the process's exit code. */
int verb_check(int argc, char **argv);
int verb_compare(int argc, char **argv);
int verb_devices(int argc, char **argv);
int verb_doctor(int argc, char **argv);
int verb_gate(int argc, char **argv);
int verb_export(int argc, char **argv);
int verb_generate(int argc, char **argv);
int verb_list(int argc, char **argv);
int verb_merge(int argc, char **argv);
int verb_report(int argc, char **argv);
int verb_run(int argc, char **argv);
int verb_show(int argc, char **argv);
int verb_tune(int argc, char **argv);

#endif
