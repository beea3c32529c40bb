"""The plugins of a recording, as a session or a server takes them."""

from __future__ import annotations

from typing import Any

from ..errors import RecordingError
from ..recording import RECORDER, Section


def plugins_of(section: Section) -> list[dict[str, Any]]:
    """Returns the plugins of a section, but the recorder, as `Session` takes them.

    Raises RecordingError for a plugin whose class has no type by which it is found.
    """
    listed: list[dict[str, Any]] = []
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for each in section.plugins:
        if each['type'] == RECORDER:
            continue
        if not each['type']:
            raise RecordingError(
                f'plugin {each["name"]!r} is of the class {each["class"]}, which no plugin type'
                ' has'
            )
        namespace, prefix = str(each['namespace']), str(each['prefix'])
        name = str(each['name']).removeprefix(f'{namespace}/')
        struct = {**each['config'], 'type': each['type'], 'name': name}
        if not (namespace or prefix):
            listed.append(struct)
            continue
        if (namespace, prefix) not in groups:
            groups[namespace, prefix] = []
            group = {'namespace': namespace, 'prefix': prefix}
            listed.append({**group, 'plugins': groups[namespace, prefix]})
        groups[namespace, prefix].append(struct)
    return listed
