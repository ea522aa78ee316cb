# SPDX-License-Identifier: Apache-2.0
# The help names every option, verdict and exit code.
"$ORCHIL" check --help
