"""Finds the site or body of a sensor."""

from __future__ import annotations

import mujoco

from ...config.wording import listed, unknown
from ...errors import ConfigError
from ...simulation import names_of
from .measured import Topic

_SITE, _BODY = mujoco.mjtObj.mjOBJ_SITE, mujoco.mjtObj.mjOBJ_BODY
_MOST = 20
"""The most names in a message."""


def sensor_place(topic: Topic, frame: str) -> str:
    """Returns the name of the site of a sensor, or of its body.

    A site comes before a body of the same name. Raises ConfigError if the model has neither.
    """
    model, own = topic.model, topic.own
    sites = list(names_of(model, _SITE, ''))
    bodies = [name for name, body in names_of(model, _BODY, '').items() if body]
    if own.site:
        if own.site not in sites:
            raise ConfigError(f'{topic.option}.site: {unknown("site", own.site, sites)}')
        return own.site
    if own.body:
        if own.body not in bodies:
            raise ConfigError(f'{topic.option}.body: {unknown("body", own.body, bodies)}')
        _check_site(topic, own.body, sites)
        return own.body
    for name in _candidates(topic, frame):
        if name in sites or name in bodies:
            return name
    if topic.kind == 'nav_msgs/Odometry' and (base := _base(model)):
        return base
    raise ConfigError(
        f'{topic.where}: its frame {frame!r} is no site or body of the model; set'
        f' {topic.option}.site or {topic.option}.body; sites: {listed(sites, _MOST) or "none"};'
        f' bodies: {listed(bodies, _MOST) or "none"}'
    )


def is_of_another_robot(topic: Topic, frame: str) -> bool:
    """Whether the frame lacks the robot's prefix, and no option gives its place."""
    given = topic.own.site or topic.own.body
    return not given and not frame.rpartition('/')[2].startswith(topic.prefix)


def _candidates(topic: Topic, frame: str) -> list[str]:
    """Returns the names that the frame can have in the model: without namespace and prefix."""
    last = frame.rpartition('/')[2]
    names = frame, last, frame.removeprefix(topic.prefix), last.removeprefix(topic.prefix)
    return [name for name in names if name]


def _check_site(topic: Topic, body: str, sites: list[str]) -> None:
    """Raises ConfigError if a site elsewhere has the name of the body."""
    if body not in sites:
        return
    site = topic.model.site(body)
    at_body = topic.model.body(int(site.bodyid[0])).name == body
    if not at_body or site.pos.any() or abs(site.quat[0]) != 1.0:
        raise ConfigError(
            f'{topic.option}.body: the site {body} has the same name and another pose; rename it'
        )


def _base(model: mujoco.MjModel) -> str:
    """Returns the only body with a free joint; empty without such a body, and with several."""
    free = mujoco.mjtJoint.mjJNT_FREE
    bodies = [int(model.jnt_bodyid[k]) for k in range(model.njnt) if model.jnt_type[k] == free]
    return model.body(bodies[0]).name if len(bodies) == 1 else ''
