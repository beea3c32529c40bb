"""Waits for answers of other nodes; used by the programs that tests run."""

import rclpy

DEADLINE_S = 200.0
LOST_S = 5.0
"""The time in seconds after which a request without an answer is repeated."""


def result(node, future):
    rclpy.spin_until_future_complete(node, future, timeout_sec=DEADLINE_S)
    return future.result()


def answered(node, send):
    """Calls `send`, which returns a future, until an answer arrives; returns the answer.

    The answer to a new client can be lost.
    """
    sent = []
    while not any(future.done() for future in sent):
        sent.append(send())
        rclpy.spin_until_future_complete(node, sent[-1], timeout_sec=LOST_S)
    return next(future.result() for future in sent if future.done())
