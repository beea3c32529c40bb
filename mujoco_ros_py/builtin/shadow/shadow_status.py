"""The status of a followed robot for /diagnostics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...plugins import ros_type
from .watch import Verdict

Status = ros_type('diagnostic_msgs/msg/DiagnosticStatus')
KeyValue = ros_type('diagnostic_msgs/msg/KeyValue')

_OK, _WARN, _ERROR = b'\x00', b'\x01', b'\x02'
_NONE = 'no hypothesis explains it'


def status_array(
    kind: Any, name: str, joints: Sequence[str], verdict: Verdict | None, problem: str
) -> Any:
    """Returns a diagnostic_msgs/DiagnosticArray with one status.

    `problem` says why there is no new judgement; empty if there is.
    """
    level, text = _OK, 'within the bounds'
    if problem:
        level, text = _WARN, problem
    elif verdict is None:
        level, text = _WARN, 'no prediction yet'
    elif verdict.left:
        level, text = _ERROR, error_text(joints, verdict)
    values = {} if verdict is None else _values(joints, verdict)
    status = Status(level=level, name=f'{name}: robot', message=text, hardware_id=name)
    status.values = [KeyValue(key=key, value=value) for key, value in values.items()]
    return kind(status=[status])


def error_text(joints: Sequence[str], verdict: Verdict) -> str:
    """Returns ``elbow velocity is off by 0.31 (bound 0.05); payload fits best: 0.52 kg at hand``.

    The residual named is the largest in units of its bound.
    """
    worst = verdict.worst
    signal = _signal(joints, worst)
    residual, bound = verdict.residuals[worst], verdict.bounds[worst]
    reason = verdict.reason
    told = _NONE if reason is None else f'{reason.name} fits best: {reason.text}'
    return f'{signal} is off by {residual:.3g} (bound {bound:.3g}); {told}'


def _values(joints: Sequence[str], verdict: Verdict) -> dict[str, str]:
    values = {'time of the robot (s)': f'{verdict.stamp:.3f}'}
    for index, (residual, bound) in enumerate(zip(verdict.residuals, verdict.bounds, strict=True)):
        values[_signal(joints, index)] = f'{residual:.4g} (bound {bound:.4g})'
    if verdict.reason is not None:
        reason = verdict.reason
        values['best hypothesis'] = reason.name
        values['fitted'] = reason.text
        values['explained (%)'] = f'{100.0 * reason.explained:.1f}'
    return values


def _signal(joints: Sequence[str], index: int) -> str:
    kind = 'velocity' if index >= len(joints) else 'position'
    return f'{joints[index % len(joints)]} {kind}'
