"""Space for types of the C library whose size depends on the processor.

`test/engine/test_struct_layout_in_c.py` compares these sizes with the C compiler of the machine.
"""

from __future__ import annotations

import numpy as np

JUMP_BUFFER = 512
"""Bytes reserved for a jmp_buf (glibc: 200 on x86-64, 312 on aarch64)."""
MUTEX = 64
"""Bytes reserved for a pthread_mutex_t (glibc: 40 on x86-64, 48 on aarch64)."""
THREAD_ATTRIBUTES = 64
"""Bytes reserved for a pthread_attr_t (glibc: 56 on x86-64, 64 on aarch64)."""
SIGNAL_ACTION = np.dtype(
    [('handler', np.uintp), ('mask', np.uint8, 128), ('flags', np.int32), ('restorer', np.uintp)],
    align=True,
)
"""`struct sigaction` of glibc and musl; the same on x86-64 and aarch64."""
