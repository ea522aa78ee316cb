// SPDX-License-Identifier: Apache-2.0
/* skeleton.cl, embedded by the build. Private to this folder. */
#ifndef ORCHIL_KERNEL_SKELETON_TEXT_H
#define ORCHIL_KERNEL_SKELETON_TEXT_H

extern const char kernel_skeleton[];

#endif
