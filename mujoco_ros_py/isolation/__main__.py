"""A process for a task; `Process` starts it: ``python -m ...isolation <task> <descriptors>``."""

import sys

from .child import main

main(*sys.argv[1:])
