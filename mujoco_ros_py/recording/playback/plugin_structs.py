"""The plugins of a recording, as a session or a server takes them."""

from __future__ import annotations

from typing import Any

import yaml

from ...errors import RecordingError
from .. import RECORDER, Section


def plugins_of(section: Section) -> list[dict[str, Any]]:
    """Returns the plugins of a section in load order, but the recorder, as `Session` takes them.

    Raises RecordingError for a plugin whose class has no type by which it is found.
    """
    listed: list[dict[str, Any]] = []
    for each in section.plugins:
        if each['type'] == RECORDER:
            continue
        if not each['type']:
            raise RecordingError(
                f'plugin {each["name"]!r} is of the class {each["class"]}, which no plugin type'
                ' has'
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
    """Returns the plugins as text, as the parameter `MujocoPlugins` takes it.

    Raises RecordingError as `plugins_of` does.
    """
    return str(yaml.safe_dump(plugins_of(section), sort_keys=False, allow_unicode=True))
