# SPDX-License-Identifier: Apache-2.0
# A test that no model can judge ends with 3.
"$ORCHIL" explain ptx:lock-counter+fenced+cta+1x512
