# SPDX-License-Identifier: Apache-2.0
# The version is one line on stdout, in the form that scripts and bug reports take apart.
"$ORCHIL" --version
