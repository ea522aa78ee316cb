cd .gpu; d=$(mktemp -d); echo libnvidia-opencl.so.1 >$d/nvidia.icd; export OCL_ICD_VENDORS=$d/
nvidia-smi | head -15
cd t
export V=
for t in MP SB LB 2+2W MPra SBsc IRIW MPlocal; do timeout 60 ../try cuda 1s $t.litmus; done
timeout 60 ../try cuda 1e6 counter.litmus
V=1 timeout 60 ../try cuda 1e8 MP.litmus | head -40
for t in MP SB LB MPra SBsc MPlocal; do timeout 60 ../try opencl 1s $t.litmus; done
timeout 60 ../try opencl 1e6 counter.litmus
