# SPDX-License-Identifier: Apache-2.0
"""The one exception of this package."""


class OrchilError(Exception):
    """A database or the program cannot be used; the text says which, and what to do."""
