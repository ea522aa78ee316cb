# SPDX-License-Identifier: Apache-2.0
# Builds and runs the program of a finding's folder, which includes this file. `make sass` prints its machine code.
NAME = $(notdir $(CURDIR))
ARCH = sm_90
SEED = 1
ARGUMENTS =
NVCC = nvcc

run: $(NAME)
	./$(NAME) $(ARGUMENTS) $(SEED)
$(NAME): $(NAME).cu
	$(NVCC) -arch=$(ARCH) -O3 -o $@ $(NAME).cu
sass: $(NAME)
	cuobjdump -sass $(NAME)
clean:
	rm -f $(NAME)
.PHONY: run sass clean
