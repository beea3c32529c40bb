"""The plugins of a recording, in the form that sessions and servers accept."""

from __future__ import annotations

from typing import Any

import yaml

from ...errors import RecordingError
from .. import RECORDER, Section


def plugins_of(section: Section) -> list[dict[str, Any]]:
    """Returns a section's plugins for `Session`, in load order, without the recorder.

    Raises RecordingError for a plugin that was given as a class without a plugin type.
    """
    listed: list[dict[str, Any]] = []
    for each in section.plugins:
        if each['type'] == RECORDER:
            continue
        if not each['type']:
            raise RecordingError(
                f'plugin {each["name"]!r} cannot be found again: its class {each["class"]} has no'
                ' plugin type'
            )
        namespace = str(each['namespace'])
        name = str(each['name']).removeprefix(f'{namespace}/')
        struct = {**each['config'], 'type': each['type'], 'name': name}
        group = {'namespace': namespace, 'prefix': str(each['prefix'])}
        if not any(group.values()):
            listed.append(struct)
        elif listed and group.items() <= listed[-1].items() and 'plugins' in listed[-1]:
            listed[-1]['plugins'].append(struct)
        else:
            listed.append({**group, 'plugins': [struct]})
    return listed


def plugin_text(section: Section) -> str:
    """Returns a section's plugins as YAML text for the parameter `MujocoPlugins`.

    Raises RecordingError like `plugins_of`.
    """
    return str(yaml.safe_dump(plugins_of(section), sort_keys=False, allow_unicode=True))
