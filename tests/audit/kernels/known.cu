// SPDX-License-Identifier: Apache-2.0
// Shapes of bugs that programs had, each broken and, with -DFIXED, as it was mended. The numbers say which bug.
#include <cuda_runtime.h>
#include <cstdint>
#ifdef FIXED
#define FX(a,b) b
#else
#define FX(a,b) a
#endif
#define D __device__ __forceinline__
D void red_relaxed(int*p){asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1;"::"l"(p):"memory");}
D void red_release(int*p){asm volatile("red.release.gpu.global.add.u32 [%0], 1;"::"l"(p):"memory");}
D int ld_acq(int*p){int r;asm volatile("ld.acquire.gpu.global.u32 %0,[%1];":"=r"(r):"l"(p):"memory");return r;}
D int ld_rlx(int*p){int r;asm volatile("ld.relaxed.gpu.global.u32 %0,[%1];":"=r"(r):"l"(p):"memory");return r;}
D int ld_acq_sys(int*p){int r;asm volatile("ld.acquire.sys.global.u32 %0,[%1];":"=r"(r):"l"(p):"memory");return r;}
D void st_rel(int*p,int v){asm volatile("st.release.gpu.global.u32 [%0],%1;"::"l"(p),"r"(v):"memory");}
D void st_rlx(int*p,int v){asm volatile("st.relaxed.gpu.global.u32 [%0],%1;"::"l"(p),"r"(v):"memory");}
// 1 trtllm-8612: red without release behind a barrier
extern "C" __global__ void trtllm_8612(int*data,int*cnt,int*out,int n){ data[blockIdx.x*256+threadIdx.x]=threadIdx.x; __syncthreads();
 if(threadIdx.x==0){ FX(red_relaxed(cnt),red_release(cnt)); while(ld_acq(cnt)<n); } __syncthreads();
 out[blockIdx.x*256+threadIdx.x]=data[((blockIdx.x+1)%gridDim.x)*256+threadIdx.x]; }
// 2 cub-356: grid barrier, poll with ld.cg (__ldcg), plain loads after
extern "C" __global__ void cub_356(unsigned*sync,int*data,int*out){ data[blockIdx.x*blockDim.x+threadIdx.x]=1; volatile unsigned*s=sync;
 __threadfence(); __syncthreads();
 if(blockIdx.x==0){ if(threadIdx.x==0)s[0]=1; __syncthreads();
  for(int p=threadIdx.x;p<gridDim.x;p+=blockDim.x) while(FX(__ldcg(sync+p),ld_acq((int*)sync+p))==0) __threadfence_block();
  __syncthreads();
  for(int p=threadIdx.x;p<gridDim.x;p+=blockDim.x) FX(s[p]=0,st_rel((int*)sync+p,0)); }
 else { if(threadIdx.x==0){ FX(s[blockIdx.x]=1,st_rel((int*)sync+blockIdx.x,1)); while(FX(__ldcg(sync+blockIdx.x),ld_acq((int*)sync+blockIdx.x))==1) __threadfence_block(); } __syncthreads(); }
 out[blockIdx.x*blockDim.x+threadIdx.x]=data[(blockIdx.x^1)*blockDim.x+threadIdx.x]; }
// 3 last block without fence (threadFenceReduction without __threadfence)
__device__ unsigned lb_count;
extern "C" __global__ void last_block_nofence(float*part,float*out){ __shared__ bool last; if(threadIdx.x==0)part[blockIdx.x]=blockIdx.x;
 if(threadIdx.x==0){ FX(,__threadfence();) unsigned t=atomicInc(&lb_count,gridDim.x-1); last=t==gridDim.x-1; FX(,__threadfence();) } __syncthreads();
 if(last){ float s=0; for(int i=threadIdx.x;i<gridDim.x;i+=blockDim.x)s+=part[i]; atomicAdd(out,s);} }
// 4 look-back with relaxed status flag and a separate value
extern "C" __global__ void lookback_relaxed(int*status,int*agg,int*out){ int b=blockIdx.x; if(threadIdx.x==0){ agg[b]=b; FX(st_rlx(status+b,1),st_rel(status+b,1));
 int s=0; for(int p=b-1;p>=0;p--){ while(FX(ld_rlx(status+p),ld_acq(status+p))==0); s+=agg[p]; } out[b]=s; } }
// 5 poll by volatile, then plain loads
extern "C" __global__ void poll_volatile(volatile int*flag,int*data,int*out){ if(blockIdx.x==0){ data[threadIdx.x]=1; __syncthreads(); if(threadIdx.x==0){__threadfence(); *flag=1;} }
 else { if(threadIdx.x==0){ while(*flag==0); FX(,__threadfence();) } __syncthreads(); out[threadIdx.x]=data[threadIdx.x]; } }
// 6 missing __syncthreads in a tile kernel (RAW) ; 7 missing second barrier (WAR in a loop)
extern "C" __global__ void __launch_bounds__(256) miss_raw(int*in,int*out){ __shared__ int s[256]; s[threadIdx.x]=in[threadIdx.x]; FX(,__syncthreads();) out[threadIdx.x]=s[255-threadIdx.x]; }
extern "C" __global__ void __launch_bounds__(256) miss_war(int*in,int*out,int n){ __shared__ int s[256]; int a=0; for(int i=0;i<n;i++){ s[threadIdx.x]=in[i*256+threadIdx.x]; __syncthreads(); a+=s[threadIdx.x^33]; FX(,__syncthreads();) } out[threadIdx.x]=a; }
// 8 warp-synchronous reduction without __syncwarp
extern "C" __global__ void __launch_bounds__(64) miss_syncwarp(int*in,int*out){ __shared__ volatile int s[64]; int t=threadIdx.x; s[t]=in[t]; __syncthreads(); if(t<32){ s[t]=s[t]+s[t+32]; FX(,__syncwarp();) int v=s[t]; if(t<16) v+=s[t+16]; FX(,__syncwarp();) s[t]=v; FX(,__syncwarp();) if(t<8) out[t]=s[t]+s[t+8]; } }
// 9 flashkda-24: generic stores to shared memory, bulk store without proxy fence
extern "C" __global__ void s2g_nofence(int*out){ __shared__ alignas(16) int s[256]; s[threadIdx.x]=threadIdx.x; FX(,asm volatile("fence.proxy.async.shared::cta;":::"memory");) __syncthreads();
 if(threadIdx.x==0){ uint32_t a=(uint32_t)__cvta_generic_to_shared(s); asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0],[%1],1024; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"::"l"(out),"r"(a):"memory"); } }
// 10 deepep-632: acquire poll, then bulk load of the data without proxy fence
extern "C" __global__ void g2s_nofence(int*flag,int*data,int*out){ __shared__ alignas(16) int s[256]; __shared__ uint64_t m; uint32_t ma=(uint32_t)__cvta_generic_to_shared(&m), sa=(uint32_t)__cvta_generic_to_shared(s);
 if(threadIdx.x==0){ asm volatile("mbarrier.init.shared.b64 [%0],1;"::"r"(ma)); while(ld_acq_sys(flag)==0); FX(,asm volatile("fence.proxy.async;":::"memory");)
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _,[%0],1024;"::"r"(ma):"memory"); asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0],[%1],1024,[%2];"::"r"(sa),"l"(data),"r"(ma):"memory"); }
 __syncthreads(); int ok; do{ asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p,[%1],0; selp.b32 %0,1,0,p;}":"=r"(ok):"r"(ma):"memory"); }while(!ok); out[threadIdx.x]=s[threadIdx.x]; }
// 11 PDL: read of the predecessor's output before the wait (cccl-5456)
extern "C" __global__ void pdl_early(int*in,int*out){ FX(int v=in[threadIdx.x]; asm volatile("griddepcontrol.wait;":::"memory");, asm volatile("griddepcontrol.wait;":::"memory"); int v=in[threadIdx.x];) out[threadIdx.x]=v; asm volatile("griddepcontrol.launch_dependents;"); }
// 12 divergent barrier (llamacpp-27870)
extern "C" __global__ void __launch_bounds__(256) div_bar(int*in,int*out){ __shared__ int s[256]; s[threadIdx.x]=0; FX(if(threadIdx.x>=64){ s[threadIdx.x]=in[threadIdx.x]; __syncthreads(); }, if(threadIdx.x>=64) s[threadIdx.x]=in[threadIdx.x]; __syncthreads();) out[threadIdx.x]=s[255-threadIdx.x]; __syncthreads(); out[threadIdx.x+256]=s[threadIdx.x]; }
// 13 cutlass-3643: arrival of block scope at the mbarrier of another block
extern "C" __global__ void arr_cta(int*out){ __shared__ uint64_t m; __shared__ int s; uint32_t ma=(uint32_t)__cvta_generic_to_shared(&m), sa=(uint32_t)__cvta_generic_to_shared(&s), r, q; asm volatile("mapa.shared::cluster.u32 %0,%1,0;":"=r"(r):"r"(ma)); asm volatile("mapa.shared::cluster.u32 %0,%1,0;":"=r"(q):"r"(sa)); if(blockIdx.x==1){ asm volatile("st.shared::cluster.u32 [%0],1;"::"r"(q):"memory"); FX(asm volatile("mbarrier.arrive.release.cta.shared::cluster.b64 _,[%0];"::"r"(r):"memory");,asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _,[%0];"::"r"(r):"memory");) }
 else { int ok; do{ asm volatile("{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared.b64 p,[%1],0; selp.b32 %0,1,0,p;}":"=r"(ok):"r"(ma):"memory"); }while(!ok); out[0]=s; } }
// 14 deepep-136: ld.nc of data of another block after an acquire
D int ldnc(int*p){int r;asm volatile("ld.global.nc.L1::no_allocate.s32 %0,[%1];":"=r"(r):"l"(p));return r;}
extern "C" __global__ void nc_after(int*flag,int*data,int*out){ if(blockIdx.x==0){ data[threadIdx.x]=1; __syncthreads(); if(threadIdx.x==0)st_rel(flag,1);} else { if(threadIdx.x==0) while(ld_acq(flag)==0); __syncthreads(); out[threadIdx.x]=FX(ldnc(data+threadIdx.x),data[threadIdx.x]); } }
// 15 spin lock: unlock by a plain atomicExch without fence
extern "C" __global__ void lock_nofence(int*lock,int*x){ if(threadIdx.x==0){ while(atomicCAS(lock,0,1)!=0); FX(,__threadfence();) int v=*(volatile int*)x; *(volatile int*)x=v+1; FX(,__threadfence();) atomicExch(lock,0); } }
// 16 flag of cta scope between blocks
extern "C" __global__ void scope_cta(int*flag,int*data,int*out){ if(blockIdx.x==0){ if(threadIdx.x==0){ data[0]=1; FX(asm volatile("st.release.cta.global.u32 [%0],1;"::"l"(flag):"memory");,asm volatile("st.release.gpu.global.u32 [%0],1;"::"l"(flag):"memory");) } } else if(threadIdx.x==0){ while(ld_acq(flag)==0); out[0]=data[0]; } }
// 17 plain flag: the compiler removes the poll (quadrants-641)
extern "C" __global__ void plain_poll(int*flag,int*data,int*out){ if(blockIdx.x==0){ if(threadIdx.x==0){ data[0]=1; __threadfence(); FX(*flag=1,st_rel(flag,1)); } } else if(threadIdx.x==0){ while(FX(*flag,ld_acq(flag))==0); FX(__threadfence();,) out[0]=data[0]; } }
// 18 vllm-8404 / peers: volatile flag store to another GPU without fence
extern "C" __global__ void peer_flag(int*mydata,volatile int**peer,volatile int*self,int*peerdata,int*out){ mydata[threadIdx.x]=1; __syncthreads(); if(threadIdx.x<8){ FX(,__threadfence_system();) peer[threadIdx.x][0]=1; while(self[threadIdx.x]==0); FX(,__threadfence_system();) } __syncthreads(); out[threadIdx.x]=mydata[(threadIdx.x+1)&255]; }
// 19 flashmla-3: generic stores to shared memory, then wgmma without a proxy fence; what else is stored it does not read
D uint64_t matrix(void*p){ return ((uint64_t)__cvta_generic_to_shared(p)&0x3FFFF)>>4|1ull<<16|64ull<<32|1ull<<62; }
extern "C" __global__ void __launch_bounds__(128) wgmma_nofence(float*in,float*out,float*sum){ __shared__ alignas(1024) float a[2048], b[256]; __shared__ float own[128]; float d[4]; int t=threadIdx.x; for(int i=t;i<2048;i+=128) a[i]=in[i]; b[t]=in[t+2048]; b[t+128]=in[t+2176]; FX(,asm volatile("fence.proxy.async.shared::cta;":::"memory");) own[t]=in[t]; __syncthreads();
 asm volatile("wgmma.fence.sync.aligned;":::"memory"); asm volatile("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0,%1,%2,%3},%4,%5,0,1,1;":"+f"(d[0]),"+f"(d[1]),"+f"(d[2]),"+f"(d[3]):"l"(matrix(a)),"l"(matrix(b)):"memory");
 asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;":::"memory"); for(int i=0;i<4;i++) out[t*4+i]=d[i]; sum[t]=own[t^1]; }
