"""A node that only holds parameters, for all servers in its namespace and below.

Pass the parameters with `--ros-args --params-file FILE` or `-p NAME:=VALUE`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .node_end import end_node
from .node_process import Spinner, Stop, make_node, run_until_signal, wait
from .parameters.plugin_search import PARAMETER_SERVER


def main(argv: Sequence[str] | None = None) -> int:
    """Runs until a signal; returns the exit code, which is 2 for invalid arguments."""
    args = list(sys.argv if argv is None else [PARAMETER_SERVER, *argv])
    return run_until_signal(PARAMETER_SERVER, lambda stop: _run(args, stop))


def _run(args: list[str], stop: Stop) -> int:
    """Runs a node that declares all parameters of the command line and parameter files."""
    keeper = make_node(
        args,
        PARAMETER_SERVER,
        allow_undeclared_parameters=True,
        automatically_declare_parameters_from_overrides=True,
    )
    spinner = Spinner(keeper, stop)
    try:
        spinner.start()
        wait(stop)
        return int(spinner.failed)
    finally:
        spinner.close()
        end_node(keeper.node)


if __name__ == '__main__':
    sys.exit(main())
