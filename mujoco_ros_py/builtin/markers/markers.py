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
"""How often the plugin looks whether somebody has subscribed, in s of wall time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MarkersConfig:
    """The configuration of the Markers plugin."""

    topic: str = ''
    """What the names of the topics begin with: `<topic>/model` has geoms and sites,
    `<topic>/state` tendons, contacts and forces (visualization_msgs/MarkerArray); empty: the name
    of the plugin."""
    show: tuple[Kind, ...] = ('geoms', 'sites', 'tendons', 'contacts', 'forces')
    """What is shown; each has the namespace of its name in the messages."""
    groups: tuple[int, ...] = ranged((0, 1, 2), minimum=0, maximum=5)
    """The groups of the geoms, sites and tendons that are shown, as MuJoCo numbers them."""
    rate: float = ranged(20.0, above=0.0, maximum=1000.0, unit='Hz')
    """Messages on `<topic>/state`, and of frames that the plugin has to publish itself, per second
    of simulated time."""
    most_contacts: int = ranged(500, minimum=1, maximum=10_000)
    """The largest number of contacts that are shown; others are left out."""
    most_triangles: int = ranged(200_000, minimum=0, maximum=10_000_000)
    """The largest number of triangles of all meshes together; where there are more, the largest
    meshes are shown as boxes."""

    def __post_init__(self) -> None:
        """Raises ConfigError for a kind that there is not, and if nothing is to be shown."""
        if not self.show:
            raise ConfigError(f'show must not be empty; known: {", ".join(KINDS)}')
        for kind in self.show:
            if kind not in KINDS:
                raise ConfigError(f'show: {unknown("kind", kind, KINDS)}')


class Markers(MujocoPlugin[MarkersConfig], Adaptable):
    """Publishes markers of geoms, sites, tendons, contacts and forces while somebody looks.

    Geoms and sites stand in the frames of their bodies, and are sent once. Frames of bodies that
    no plugin publishes are published by this one, below its name.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds what is shown, and makes the publishers."""
        config, environment = self.config, self.environment
        if environment.protected:
            raise PluginError('markers are ground truth, which eval_mode does not show')
        self._lock = Lock()
        """Held while the markers of the model are made or removed: the timer ticks at any time."""
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
        """Goes on with another model, whose markers take the place of all others."""
        shown = self._find(model)
        if self._of_state is not None:
            self._of_state.draw(model, shown)
        self._drawing = Drawing(model, shown)
        self.environment.submit(self._draw_anew)  # when all plugins have their frames

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, change: ModelChange
    ) -> None:
        """Shows sizes, places and colours that have changed."""
        if change.kind in ('body', 'geom'):
            self._drawing = Drawing(model, self._find(model))

    def unload(self) -> None:
        """Removes the markers of the model where they are seen."""
        with self._lock:
            if self._of_model is not None:
                self._of_model.close()
                self._of_model = None
            self._frames.close()

    def _find(self, model: mujoco.MjModel) -> ShownElements:
        return shown_elements(model, self.environment.prefix, self.config.show, self.config.groups)

    def _draw_anew(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Has the markers of the model published again; on the physics thread."""
        self._drawing = replace(self._drawing)

    def _look(self) -> None:
        """Publishes the markers of the model where they are wanted; on a thread of the plugin."""
        with self._lock:
            if self._of_model is not None:
                self._of_model.look(self._drawing)
