"""Room for types of the C library whose size depends on the processor.

`test/engine/test_struct_layout_in_c.py` compares these with the C compiler of the machine.
"""

from __future__ import annotations

import numpy as np

JUMP_BUFFER = 512
"""The bytes reserved for a jmp_buf, which has 200 in glibc on x86-64 and 312 on aarch64."""
MUTEX = 64
"""The bytes reserved for a pthread_mutex_t, which has 40 in glibc on x86-64 and 48 on aarch64."""
THREAD_ATTRIBUTES = 64
"""The bytes reserved for a pthread_attr_t, which has 56 in glibc on x86-64 and 64 on aarch64."""
SIGNAL_ACTION = np.dtype(
    [('handler', np.uintp), ('mask', np.uint8, 128), ('flags', np.int32), ('restorer', np.uintp)],
    align=True,
)
"""`struct sigaction` of glibc and musl, which is the same on x86-64 and aarch64."""
