# SPDX-License-Identifier: Apache-2.0
# A verb that is not there, also below one that is.
"$ORCHIL" manual gate frobnicate
