"""The wording of errors that the code of users has raised."""

from __future__ import annotations

from traceback import walk_tb

from ..config.wording import printable, summary


def explained(error: BaseException, module: str) -> str:
    """Returns the error in words, with the file and the line in the package of the module.

    The line is that of the innermost call in the package, or the one that is no Python.
    """
    package = module.partition('.')[0]
    if isinstance(error, SyntaxError) and error.filename:
        text = printable(str(error.msg))
        return f'{type(error).__name__}: {text} ({error.filename}:{error.lineno})'
    places = [
        f' ({frame.f_code.co_filename}:{line})'
        for frame, line in walk_tb(error.__traceback__)
        if str(frame.f_globals.get('__name__')).partition('.')[0] == package
    ]
    return summary(error) + (places[-1] if places else '')
