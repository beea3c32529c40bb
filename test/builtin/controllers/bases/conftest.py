"""Bases in sessions without ROS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import pytest
from builtin.controllers.bases.moving import Base

from mujoco_ros_py.session import Session


@pytest.fixture
def base() -> Iterator[Callable[..., Base]]:
    """`base(xml, plugin, **config)` loads a base and returns it."""
    sessions: list[Session] = []

    def begin(xml: str, plugin: dict[str, Any], *, before: Any = (), **config: Any) -> Base:
        model = mujoco.MjModel.from_xml_string(xml)
        listed = [*before, {'name': 'base', **plugin, **config}]
        session = Session(model, plugins=listed, strict=True)
        sessions.append(session)
        return Base(session)

    yield begin
    for session in sessions:
        session.close()


@pytest.fixture
def refusal() -> Callable[..., str]:
    """`refusal(xml, plugin, **config)` returns why a base does not load."""

    def load(xml: str, plugin: dict[str, Any], **config: Any) -> str:
        listed = [{'name': 'base', **plugin, **config}]
        with Session(mujoco.MjModel.from_xml_string(xml), plugins=listed) as session:
            (problem,) = session.problems
        return problem

    return load
