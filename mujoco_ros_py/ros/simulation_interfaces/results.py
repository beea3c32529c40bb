"""How calls of standard services end: the numbers of results, and the errors behind them."""

from __future__ import annotations

from simulation_interfaces.msg import Result

from ...config.wording import printable
from ...errors import EntityError, MujocoRosError, SpawnFault

UNSUPPORTED = Result.RESULT_FEATURE_UNSUPPORTED
OK = Result.RESULT_OK
NOT_FOUND = Result.RESULT_NOT_FOUND
INCORRECT_STATE = Result.RESULT_INCORRECT_STATE
FAILED = Result.RESULT_OPERATION_FAILED


class ResultError(MujocoRosError):
    """A request is refused, with this number as its result."""

    def __init__(self, message: str, code: int = FAILED) -> None:
        super().__init__(message)
        self.code = code
        """The number of the result."""


def code_of(error: BaseException) -> int:
    """Returns the number of the result for an error, as far as all services share it."""
    if isinstance(error, ResultError):
        return error.code
    if isinstance(error, EntityError) and error.fault is SpawnFault.NOT_FOUND:
        return int(NOT_FOUND)
    return int(FAILED)


def write_result(result: Result, code: int, message: str = '') -> None:
    """Writes the number and the message into a Result."""
    result.result, result.error_message = code, printable(message)
