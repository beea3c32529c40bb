"""Edits a running model and its state. Elements are identified by name."""

from .body_state import (
    BodyMotion,
    BodyState,
    body_motions,
    move_body,
    place_body,
    put_back,
    read_body,
    weigh_body,
)
from .edit import Edit, ModelChange
from .equality_parameters import EqualityParameters, read_equality, set_equality
from .geom_properties import GeomProperties, read_geom, rub_geom, shape_geom
from .model_frames import BODY, SITE, WORLD, model_frames, pose_in_world, twist_in_world
from .named_elements import find_body, find_element, find_mocap, place_mocap
from .named_values import Kind as NumbersKind
from .named_values import NamedNumbers, read_numbers, set_numbers
from .physics_options import Option, read_options, set_gravity, set_options
from .subtree_bounds import subtree_bounds

__all__ = [
    'BODY',
    'SITE',
    'WORLD',
    'BodyMotion',
    'BodyState',
    'Edit',
    'EqualityParameters',
    'GeomProperties',
    'ModelChange',
    'NamedNumbers',
    'NumbersKind',
    'Option',
    'body_motions',
    'find_body',
    'find_element',
    'find_mocap',
    'model_frames',
    'move_body',
    'place_body',
    'place_mocap',
    'pose_in_world',
    'put_back',
    'read_body',
    'read_equality',
    'read_geom',
    'read_numbers',
    'read_options',
    'rub_geom',
    'set_equality',
    'set_gravity',
    'set_numbers',
    'set_options',
    'shape_geom',
    'subtree_bounds',
    'twist_in_world',
    'weigh_body',
]
