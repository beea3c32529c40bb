"""The panel of the simulation and its plugins, next to Studio's own panels."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import mujoco
from mujoco.studio import app, messages
from mujoco.studio.dear_imgui import dear_imgui as imgui

from .page_access import Audience
from .page_channels import PageChannels
from .page_plots import PagePlots

_GOOD, _BAD, _IDLE = (0.3, 0.75, 0.35, 1.0), (0.95, 0.3, 0.25, 1.0), (0.6, 0.6, 0.6, 1.0)
_WARNED = 0.8, 0.55, 0.1, 1.0
_OF_LEVELS = {'WARNING': _WARNED, 'ERROR': _BAD, 'CRITICAL': _BAD}
_SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0)
_BUTTONS = '/buttons.json'
"""The path that returns the positions of the buttons, for programs that click them."""
_OPEN = int(imgui.TreeNodeFlags.DefaultOpen)


class PagePanels(app.App):
    """Studio's panels and a panel for the server; all their commands are sent to the server."""

    def __init__(self, channels: PageChannels, audience: Audience) -> None:
        super().__init__(app.Config(show_options=True, show_inspector=True))
        self._channels = channels
        self._audience = audience
        self._watched: bool | None = None
        """Whether a page is open, as last reported to the server; None before the first report."""
        self._places: dict[str, tuple[float, float]] = {}
        self._plots = PagePlots(self._place)
        self._plotted: dict[str, Any] = {}
        """The last status that was added to the plots."""
        self._pushed = False
        self._selected = 0
        """The id of the body selected by a double click; 0 without a selection."""

    def served(self, path: str) -> tuple[str, bytes] | None:
        """Answers `/buttons.json`: the buttons' centres in pixels, by their labels.

        The answer also has the status, the notes, the positions of plots, and the selected body.
        Returns None for other paths.
        """
        if path != _BUTTONS:
            return None
        shown = {
            'buttons': dict(self._places),
            'plots': dict(self._plots.shown),
            'status': self._channels.status,
            'notes': self._channels.notes,
            'selected': self._selected,
        }
        return 'application/json', json.dumps(shown).encode()

    def close(self) -> None:
        """Does not end the viewer, because other pages can be open."""
        self._channels.note('the viewer ends with the server; close the page instead')

    def reset_physics(self) -> None:
        """Requests a reset from the server, to the chosen keyframe."""
        key = self.ux_state.key_idx
        if not 0 <= key < self.model.nkey:
            self._channels.command('reset')
        elif name := self.model.key(key).name:
            self._channels.command('reset', keyframe=name)
        else:
            self._channels.note(f'keyframe {key} cannot be requested, because it has no name')

    def save_keyframe(self) -> None:
        """Refuses to save a keyframe, because the model belongs to the server."""
        self._channels.note('keyframes cannot be saved: the model belongs to the server')

    def apply_perturb(self) -> None:
        """Sends the mouse's force on the dragged body to the server."""
        perturb, model, data = self.viewer.perturb, self.model, self.data
        self._selected = int(perturb.select)
        pushed, channels = bool(perturb.active and perturb.select > 0), self._channels
        if pushed and (why_not := _why_not_dragged(channels.status)):
            perturb.active = 0
            return channels.note(f'bodies cannot be dragged {why_not}')
        if pushed:
            data.xfrc_applied[:] = 0.0
            mujoco.mjv_applyPerturbForce(model, data, perturb)
            wrench = data.xfrc_applied[perturb.select].tolist()
            channels.command('push', model=channels.model, body=perturb.select, wrench=wrench)
        elif self._pushed:
            channels.command('release')
        self._pushed = pushed
        return None

    @messages.handler(priority=messages.Priority.USER)
    def _on_frame(self, _: messages.UpdateEvent) -> None:
        watched = self._audience.count > 0
        if watched != self._watched and self._channels.watch(watched):
            self._watched = watched
        drawn = self._channels.drawn()
        if drawn is not None:
            self.viewer.extra_geoms[:] = drawn

    @messages.handler(priority=messages.Priority.USER)
    def _on_panel(self, _: messages.BuildGuiEvent) -> None:
        status = self._channels.status
        if self.config.show_inspector:
            imgui.Begin('Inspector')
            imgui.SetNextWindowDockID(imgui.GetWindowDockID(), int(imgui.Cond.FirstUseEver))
            imgui.End()
        if status and status is not self._plotted:
            self._plotted = status
            self._plots.add(status, self.model, self.data)
        live = not status.get('recording')
        shown, _open = imgui.Begin('Server' if live else 'Recording')
        if shown and status:
            self._simulation(status)
            self._plugins(status['plugins'])
            self._switches(status['plugins'])
            self._plots.draw(live=live)
            if live:
                self._log(status['log'])
        imgui.End()

    def _simulation(self, status: dict[str, Any]) -> None:
        recording = status.get('recording')
        imgui.TextUnformatted(f't = {status["time"]:.3f} s, {status["steps"]} steps')
        if recording:
            self._timeline(recording)
        asked = 'unthrottled' if status['realtime'] < 0 else f'set {status["realtime"]:g}'
        imgui.TextUnformatted(f'real-time factor {status["factor"]:.2f} measured, {asked}')
        if status['failure']:
            imgui.TextColored(imgui.Vec4(*_BAD), status['failure'])
        command = self._channels.command
        if status['paused']:
            self._button('Run', lambda: command('run'))
        else:
            self._button('Pause', lambda: command('pause'))
        for label in ('Step', 'Reset') if recording else ('Step', 'Reset', 'Reload'):
            imgui.SameLine()
            self._button(label, partial(command, label.lower()))
        for factor in _SPEEDS:
            self._button(f'x{factor:g}', partial(command, 'speed', factor=factor))
            imgui.SameLine()
        if recording:
            imgui.NewLine()
        else:
            self._button('max', lambda: command('speed', factor=-1.0))
        if status['protected']:
            imgui.TextColored(imgui.Vec4(*_IDLE), 'a protected run (eval_mode)')
        for text in [*status['answers'], *self._channels.notes][-4:]:
            imgui.TextWrapped(text)

    def _timeline(self, recording: dict[str, Any]) -> None:
        """Draws a slider for the playback position in a recording."""
        imgui.TextUnformatted(recording['section'])
        imgui.SetNextItemWidth(-1.0)
        position, length = recording['position'], recording['length']
        moved, chosen = imgui.SliderFloat('##position', position, 0.0, length, '%.2f s')
        self._place('position')
        if moved:
            self._channels.command('jump', position=chosen)

    def _button(self, label: str, pressed: Callable[[], None]) -> None:
        clicked = imgui.Button(label)
        self._place(label)
        if clicked:
            pressed()

    def _place(self, label: str) -> None:
        """Stores the centre in pixels of the last drawn item, by its label."""
        first, last = imgui.GetItemRectMin(), imgui.GetItemRectMax()
        self._places[label] = (first.x + last.x) / 2, (first.y + last.y) / 2

    def _plugins(self, plugins: list[dict[str, Any]]) -> None:
        imgui.SeparatorText('Plugins in load order')
        flags = int(imgui.TableFlags.RowBg) | int(imgui.TableFlags.BordersInnerV)
        if not plugins or not imgui.BeginTable('plugins', 3, flags):
            return
        for title in ('plugin', 'state', 'mean cost of callbacks (us)'):
            imgui.TableSetupColumn(title)
        imgui.TableHeadersRow()
        for plugin in plugins:
            imgui.TableNextColumn()
            imgui.TextUnformatted(plugin['name'])
            imgui.SetItemTooltip(plugin['type'])
            imgui.TableNextColumn()
            color = {'loaded': _GOOD, 'refused': _BAD, 'failed': _BAD}.get(plugin['state'], _IDLE)
            imgui.TextColored(imgui.Vec4(*color), plugin['state'])
            self._place(f'plugin {plugin["name"]}')
            if plugin['reason']:
                imgui.TextWrapped(plugin['reason'])
            imgui.TableNextColumn()
            for callback, cost in plugin['costs'].items():
                imgui.TextUnformatted(f'{callback}: {cost:.2f}')
        imgui.EndTable()

    def _switches(self, plugins: list[dict[str, Any]]) -> None:
        """Draws a checkbox for each part of a plugin that can be switched on and off."""
        for plugin in plugins:
            if not plugin.get('switches'):
                continue
            name = plugin['name']
            imgui.SeparatorText(name)
            for label, on in plugin['switches'].items():
                clicked, _ = imgui.Checkbox(f'{label}##{name}', on)
                self._place(f'{name} {label}')
                if clicked:
                    self._channels.command('switch', plugin=name, switch=label, on=not on)

    def _log(self, lines: list[tuple[str, str]]) -> None:
        is_open = imgui.CollapsingHeader('Log', _OPEN)
        self._place('Log')
        for level, text in lines if is_open else ():
            color = _OF_LEVELS.get(level)
            if color is not None:
                imgui.PushStyleColor(imgui.Col.Text, imgui.Vec4(*color))
            imgui.TextWrapped(text)
            if color is not None:
                imgui.PopStyleColor()


def _why_not_dragged(status: dict[str, Any]) -> str:
    """Returns why bodies cannot be dragged; empty if they can."""
    if status.get('recording'):
        return 'in a recording'
    return 'in eval_mode' if status.get('protected') else ''
