// SPDX-License-Identifier: Apache-2.0
//
// What follows the prelude in a kernel for a device with shaderDeviceClock, if it starts at ticks or has delays. CLOCK_STEP is
// the time between two counts in nanoseconds, which the device says (vulkan.c).

#extension GL_EXT_shader_realtime_clock : require

layout(constant_id = 3) const u32 CLOCK_STEP = 1u;

#define SHARED_CLOCK
u32 shared_clock()
{
    return clockRealtime2x32EXT().x * CLOCK_STEP;
}

// If the clock stood still, the polls would end the rest.
void rest_by_clock(u32 nanoseconds)
{
    const u32 start = shared_clock();
    for (u32 polls = nanoseconds; polls != 0u && shared_clock() - start < nanoseconds; polls--)
        ;
}
#undef rest
#define rest rest_by_clock
