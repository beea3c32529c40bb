"""mujoco_ros_py/Markers: shows a model and its state in RViz and Foxglove, without a URDF."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Lock
from typing import Literal, get_args

import mujoco

from ...config import ranged, unknown
from ...errors import ConfigError, PluginError
from ...plugins import Adaptable, ModelChange, MujocoPlugin
from ..sensors.sensor_topic import topic_of
from .marker_frames import MarkerFrames
from .model_markers import ModelMarkers
from .shown_elements import Drawing, ShownElements, shown_elements
from .state_markers import StateMarkers

Kind = Literal['geoms', 'sites', 'tendons', 'contacts', 'forces']
KINDS = get_args(Kind)
_OF_MODEL, _OF_STATE = {'geoms', 'sites'}, {'tendons', 'contacts', 'forces'}
_PERIOD_S = 0.1
"""The interval at which the plugin checks for new subscribers, in s of wall time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MarkersConfig:
    """The configuration of the Markers plugin."""

    topic: str = ''
    """The prefix of the topics: `<topic>/model` has geoms and sites, and `<topic>/state` has
    tendons, contacts and forces (visualization_msgs/MarkerArray); if empty, the plugin's name."""
    show: tuple[Kind, ...] = ('geoms', 'sites', 'tendons', 'contacts', 'forces')
    """The kinds of elements to show; each kind is also a marker namespace."""
    groups: tuple[int, ...] = ranged((0, 1, 2), minimum=0, maximum=5)
    """The MuJoCo groups of geoms, sites and tendons to show."""
    rate: float = ranged(20.0, above=0.0, maximum=1000.0, unit='Hz')
    """The rate of `<topic>/state`, and of the frames that the plugin itself publishes, per second
    of simulated time."""
    most_contacts: int = ranged(500, minimum=1, maximum=10_000)
    """The maximum number of contacts shown; further contacts are skipped."""
    most_triangles: int = ranged(200_000, minimum=0, maximum=10_000_000)
    """The maximum number of triangles of all meshes together; beyond it, the largest meshes are
    shown as boxes."""

    def __post_init__(self) -> None:
        """Raises ConfigError if `show` is empty or has an unknown kind."""
        if not self.show:
            raise ConfigError(f'show must not be empty; known: {", ".join(KINDS)}')
        for kind in self.show:
            if kind not in KINDS:
                raise ConfigError(f'show: {unknown("kind", kind, KINDS)}')


class Markers(MujocoPlugin[MarkersConfig], Adaptable):
    """Publishes markers of geoms, sites, tendons, contacts and forces to subscribers.

    Markers of geoms and sites are in the frames of their bodies, and are sent once. If no plugin
    publishes a body's frame, this plugin publishes one that is named after the plugin and
    the body.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the elements to show, and creates the publishers."""
        config, environment = self.config, self.environment
        if environment.protected:
            raise PluginError('markers are ground truth, which eval_mode hides')
        self._lock = Lock()
        """Held while the model's markers are created or removed, because the timer can fire at any
        time."""
        self._drawing = Drawing(model, self._find(model))
        self._frames = MarkerFrames(self, config.rate)
        self._of_model: ModelMarkers | None = None
        self._of_state: StateMarkers | None = None
        topic = topic_of(self, config.topic)
        if _OF_STATE & {*config.show}:
            self._of_state = StateMarkers(
                self, f'{topic}/state', config.rate, config.show, config.most_contacts
            )
            self._of_state.draw(model, self._drawing.shown)
        if _OF_MODEL & {*config.show}:
            self._of_model = ModelMarkers(
                self, f'{topic}/model', self._frames, config.most_triangles
            )
            if self.ros:
                self.ros.create_timer(_PERIOD_S, self._look)

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Replaces all markers by the new model's markers."""
        shown = self._find(model)
        if self._of_state is not None:
            self._of_state.draw(model, shown)
        self._drawing = Drawing(model, shown)
        self.environment.submit(self._draw_anew)  # after all plugins have adapted their frames

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, change: ModelChange
    ) -> None:
        """Updates the markers' sizes, poses and colours."""
        if change.kind in ('body', 'geom'):
            self._drawing = Drawing(model, self._find(model))

    def unload(self) -> None:
        """Removes the model's markers from all viewers."""
        with self._lock:
            if self._of_model is not None:
                self._of_model.close()
                self._of_model = None
            self._frames.close()

    def _find(self, model: mujoco.MjModel) -> ShownElements:
        return shown_elements(model, self.environment.prefix, self.config.show, self.config.groups)

    def _draw_anew(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Makes `_look` publish the model's markers again; on the physics thread."""
        self._drawing = replace(self._drawing)

    def _look(self) -> None:
        """Publishes the model's markers to new subscribers; on a plugin thread."""
        with self._lock:
            if self._of_model is not None:
                self._of_model.look(self._drawing)
