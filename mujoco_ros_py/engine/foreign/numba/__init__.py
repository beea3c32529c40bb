"""The internals of numba that the engine relies on, which are too many for one file.

`numba_internals` is for code that compiles, `numba_code` for what it has compiled,
`numba_templates` for what users overload, and `numba_registry` for taking that back.
`numba_objects` has the names of numba's objects in annotations.
"""

from ....requirements import check_numba

check_numba()
