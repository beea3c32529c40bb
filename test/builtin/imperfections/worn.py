"""A plugin that has the faults of a timeline between controllers and robot, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from builtin.imperfections.timelines import by_name

from mujoco_ros_py.builtin.imperfections import robot
from mujoco_ros_py.builtin.imperfections.robot import PLACES, RobotRows, read, write
from mujoco_ros_py.builtin.imperfections.timeline import Entry, named
from mujoco_ros_py.plugins import (
    Adaptable,
    Hardware,
    MujocoPlugin,
    Savable,
    Stoppable,
    compiled,
    new_state,
)
from mujoco_ros_py.session import Session


@dataclass(frozen=True, kw_only=True)
class WornConfig:
    timeline: Mapping[str, Entry]


class Worn(MujocoPlugin[WornConfig], Hardware, Adaptable, Savable, Stoppable):
    places = PLACES

    def load(self, model, data):
        self.model, self.timeline = model, named(self.config.timeline)
        self.rows = RobotRows(model, self.environment.prefix, self.timeline)
        self.state = new_state(**self.rows.fields)

    def adapt(self, model, data):
        rows = RobotRows(model, self.environment.prefix, self.timeline)
        rows.remember(self.rows, self.state)
        if rows.fits(self.state):
            rows.put(self.state)
        else:
            self.state = new_state(**rows.fields)
        self.rows, self.model = rows, model

    def reset(self, model, data):
        robot.forget(self.state)

    def restore_model(self, model, data):
        robot.restore_model(self.state, model)

    def unload(self):
        robot.restore_model(self.state, self.model)

    def withdraw(self, model, data):
        robot.withdraw(self.state, model, data)

    def restore(self, saved):
        robot.restore_model(self.state, self.model)
        super().restore(saved)
        robot.restored(self.state)

    @staticmethod
    @compiled
    def read_callback(state, model, data):
        read(state, model, data)

    @staticmethod
    @compiled
    def write_callback(state, model, data):
        write(state, model, data)


def worn(*timeline: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The entry of the plugin in a list of plugins."""
    return {'type': Worn, 'name': 'worn', 'timeline': by_name(timeline), **more}


def session(model: str, *timeline: dict[str, Any], before: Any = (), **options: Any) -> Session:
    """A session with the plugins `before`, and then the faults."""
    return Session(mujoco_xml=model, plugins=[*before, worn(*timeline)], strict=True, **options)
