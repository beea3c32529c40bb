"""A session with a plugin that drives joints, for the tests of the drive."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import pytest
from builtin.controllers.driving import Driven, Driving

from mujoco_ros_py.session import Session


@pytest.fixture
def drive() -> Iterator[Callable[..., Driven]]:
    """`drive(xml, interface, positions=..., **config)` drives joints of a model."""
    sessions: list[Session] = []

    def begin(
        xml: str, *interfaces: str, positions: dict[str, float] | None = None, **config: Any
    ) -> Driven:
        plugin = {'type': Driving, 'name': 'driving', 'interfaces': interfaces, **config}
        model = mujoco.MjModel.from_xml_string(xml)
        session = Session(model, plugins=[plugin], positions=positions)
        sessions.append(session)
        assert not session.problems, session.problems
        return Driven(session)

    yield begin
    for session in sessions:
        session.close()


@pytest.fixture
def refusal() -> Callable[..., str]:
    """`refusal(xml, interface, **config)` returns why a plugin does not load."""

    def load(xml: str, *interfaces: str, **config: Any) -> str:
        plugin = {'type': Driving, 'name': 'driving', 'interfaces': interfaces, **config}
        with Session(mujoco.MjModel.from_xml_string(xml), plugins=[plugin]) as session:
            (problem,) = session.problems
        return problem

    return load
