"""The internals of numba that the engine relies on, in several files.

`numba_internals` is used to compile code, `numba_code` to handle compiled code, `numba_templates`
for users' overloads, and `numba_registry` for removing them. `numba_objects` names the types of
numba's objects for annotations.
"""

from ....requirements import check_numba

check_numba()
