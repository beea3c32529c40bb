"""The results of standard services: their codes, and the errors behind them."""

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
    """Refuses a request; `code` is the result code in the response."""

    def __init__(self, message: str, code: int = FAILED) -> None:
        super().__init__(message)
        self.code = code
        """The result code."""


def code_of(error: BaseException) -> int:
    """Returns the result code of an error, for the codes that all services share."""
    if isinstance(error, ResultError):
        return error.code
    if isinstance(error, EntityError) and error.fault is SpawnFault.NOT_FOUND:
        return int(NOT_FOUND)
    return int(FAILED)


def write_result(result: Result, code: int, message: str = '') -> None:
    """Writes a code and a message into a Result."""
    result.result, result.error_message = code, printable(message)
