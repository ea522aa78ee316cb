// SPDX-License-Identifier: Apache-2.0
/* In place of alpaka's header of accelerators, which needs the host: what its fences name of it. */
#pragma once
namespace alpaka::api
{
struct Cuda {
};
}
namespace alpaka::onAcc::concepts
{
template <typename T> concept Acc = true;
}
