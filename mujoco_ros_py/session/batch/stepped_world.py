"""Creates, resets, saves and closes one world of a batch."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import mujoco

from ...engine import Loop, Outcome
from ...errors import ConfigError, ModelError, PluginError
from ...plugins import Hardware, MujocoPlugin
from ...plugins.host import PluginState
from ...simulation import UNSTABLE, SavedState
from .start_state import StartState
from .varied_values import ModelValues, PluginValues
from .world_maker import MadeWorld, WorldMaker

_UNSTABLE = [*UNSTABLE, int(mujoco.mjtWarning.mjWARN_BADCTRL)]
"""The warnings after which MuJoCo keeps stepping with a reset state or with controls of 0."""


class SteppedWorld:
    """A simulation with its plugins; the threads of the batch step it."""

    def __init__(
        self, index: int, model: mujoco.MjModel, maker: WorldMaker, values: PluginValues
    ) -> None:
        self.index = index
        """The index of the world in its batch."""
        self.model = model
        """The model; all worlds use the same object if the batch shares it."""
        self.warning = ''
        """MuJoCo's latest warning since the last reset; empty if it has not warned."""
        self._maker, self._values = maker, values.of(index)
        self._made: MadeWorld = maker.make(model, self._values)

    @property
    def data(self) -> mujoco.MjData:
        """The world's MjData; replaced by a new object if a reset follows a plugin's failure."""
        return self._made.simulation.data

    @property
    def time(self) -> float:
        """The simulation time in seconds."""
        return self._made.simulation.time

    @property
    def plugins(self) -> dict[str, MujocoPlugin[Any]]:
        """The ready plugins by name, in load order."""
        ready = (each for each in self._made.host.plugins if each.ready)
        return {each.name: each.plugin for each in ready if each.plugin is not None}

    @property
    def failure(self) -> str:
        """Why the world failed, or ''. A failed world is not stepped until its reset."""
        return self._made.simulation.failure

    @property
    def loop(self) -> Loop:
        """The loop that steps the world."""
        return self._made.simulation.loop

    def save(self) -> SavedState:
        """Saves the state. Raises EngineError and PluginError like `Simulation.save`."""
        return self._made.simulation.save_here()

    def restore(self, saved: SavedState) -> list[str]:
        """Restores a saved state; returns and raises the same as `Simulation.restore`."""
        problems = self._made.simulation.restore_here(saved)
        self.warning = self._made.simulation.latest_warning
        return problems

    def reset(self, keyframe: str | None, start: StartState | None) -> bool:
        """Resets the world; returns whether its model and plugins were loaded again.

        They are loaded again if a plugin has failed. Raises SimulationError for an unknown
        keyframe.
        """
        simulation, host = self._made.simulation, self._made.host
        anew = any(each.state is PluginState.FAILED for each in host.plugins)
        if anew:
            host = self._maker.load(simulation, self.model, self._values)
            self._made = MadeWorld(simulation, host)
        simulation.reset_here(keyframe, start)
        self.warning = simulation.latest_warning
        return anew

    def attend(self, outcome: int) -> bool:
        """Handles the reason why the loop returned to Python; this can make the world fail.

        Returns whether MuJoCo found the world unstable: the results of this step are then invalid.
        """
        simulation = self._made.simulation
        if outcome in (Outcome.NOTICE, Outcome.ERROR):
            simulation.report(Outcome(outcome))
            self.warning = simulation.latest_warning
        simulation.carry_out()
        failed = (each for each in self._made.host.plugins if each.state is PluginState.FAILED)
        out = [f'plugin {each.name!r}: {each.reason}' for each in failed]
        unstable = outcome == Outcome.NOTICE and bool(self.data.warning.number[_UNSTABLE].any())
        if out:
            simulation.fail('; '.join(out))
        elif unstable:
            simulation.fail(f'it became unstable: {self.warning}')
        return unstable

    def close(self) -> None:
        """Unloads the plugins."""
        self._made.simulation.close()


def make_world(
    index: int,
    maker: WorldMaker,
    models: ModelValues,
    plugins: PluginValues,
    *,
    share_model: bool,
) -> SteppedWorld:
    """Creates one world, with a copy of the maker's model, or the model itself if it is shared.

    Raises ModelError and PluginError, with the number of the world.
    """
    model = maker.model if share_model else copy.copy(maker.model)
    try:
        models.write(model, index)
        return SteppedWorld(index, model, maker, plugins)
    except mujoco.FatalError as error:
        raise ModelError(f'world {index}: {error}') from error
    except PluginError as error:
        raise PluginError(f'world {index}: {error}') from error


def check_shared(plugins: Mapping[str, MujocoPlugin[Any]]) -> None:
    """Raises ConfigError if a plugin of a world with a shared model changes its model."""
    for name, plugin in plugins.items():
        if isinstance(plugin, Hardware) and (
            type(plugin).restore_model is not Hardware.restore_model
        ):
            raise ConfigError(
                f'share_model must be false: plugin {name!r} ({type(plugin).__name__}) changes'
                ' values of its model'
            )
