"""The colours that Gazebo's materials have by their names."""

from __future__ import annotations

from .tag import Vector

COLORS: dict[str, Vector] = {
    'Black': (0.0, 0.0, 0.0, 1.0),
    'Blue': (0.0, 0.0, 1.0, 1.0),
    'DarkGray': (0.175, 0.175, 0.175, 1.0),
    'DarkGrey': (0.175, 0.175, 0.175, 1.0),
    'FlatBlack': (0.1, 0.1, 0.1, 1.0),
    'Gold': (0.8, 0.65, 0.12, 1.0),
    'Gray': (0.7, 0.7, 0.7, 1.0),
    'Green': (0.0, 1.0, 0.0, 1.0),
    'Grey': (0.7, 0.7, 0.7, 1.0),
    'Indigo': (0.33, 0.0, 0.5, 1.0),
    'Orange': (1.0, 0.51, 0.04, 1.0),
    'Purple': (1.0, 0.0, 1.0, 1.0),
    'Red': (1.0, 0.0, 0.0, 1.0),
    'RedBright': (0.87, 0.26, 0.07, 1.0),
    'SkyBlue': (0.13, 0.44, 0.7, 1.0),
    'Turquoise': (0.0, 1.0, 1.0, 1.0),
    'White': (1.0, 1.0, 1.0, 1.0),
    'Yellow': (1.0, 1.0, 0.0, 1.0),
    'ZincYellow': (0.97, 0.96, 0.0, 1.0),
}
