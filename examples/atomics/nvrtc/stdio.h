// SPDX-License-Identifier: Apache-2.0
/* <stdio.h> for NVRTC: nothing, since what includes it uses it on the host only. */
#pragma once
