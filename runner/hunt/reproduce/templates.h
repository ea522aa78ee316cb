// SPDX-License-Identifier: Apache-2.0
/* The texts of this folder that CMake embeds: FILE.in. Private to this folder. */
#ifndef ORCHIL_RUNNER_HUNT_REPRODUCE_TEMPLATES_H
#define ORCHIL_RUNNER_HUNT_REPRODUCE_TEMPLATES_H

extern const char template_kernel[];      /* kernel.cl: in the words of words.c */
extern const char template_main[];        /* main.c: the three runs, of either host */
extern const char template_cuda[];        /* reproduce.cu */
extern const char template_opencl[];      /* reproduce.cl */
extern const char template_opencl_host[]; /* reproduce.c */
extern const char template_vulkan[];      /* reproduce.comp: with a kernel in GLSL */
extern const char template_vulkan_host[]; /* reproduce.c */
extern const char template_vulkan_make[]; /* Makefile.comp */
extern const char template_cuda_make[];   /* Makefile.cu */
extern const char template_opencl_make[]; /* Makefile.cl */
extern const char template_readme[];      /* README.md */

#endif
