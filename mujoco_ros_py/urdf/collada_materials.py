"""The colours of Collada files."""

from __future__ import annotations

from typing import Any

from .tag import Vector


def colors(root: Any, by_id: dict[str, Any]) -> dict[str, Vector]:
    """Returns the diffuse colours of those materials that have one, by their ids."""
    found = {}
    for material in root.iter('material'):
        instance = material.find('./instance_effect')
        url = '' if instance is None else instance.get('url', '').lstrip('#')
        effect = by_id.get(url)
        color = None if effect is None else effect.find('.//diffuse/color')
        if color is not None and color.text:
            values = [min(max(float(value), 0.0), 1.0) for value in color.text.split()]
            found[material.get('id', '')] = (*values[:3], 1.0)
    return found


def symbols(instance: Any, rgba: dict[str, Vector]) -> dict[str, Vector]:
    """Returns the colours that an instance of a geometry binds, by the symbols of the geometry."""
    found = {}
    for bound in instance.iter('instance_material'):
        color = rgba.get(bound.get('target', '').lstrip('#'))
        if color is not None:
            found[bound.get('symbol', '')] = color
    return found
