"""The parts of a world that are spawned, and the blueprints that they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

import mujoco

from ...simulation import ModelSource
from ..urdf_texts import urdf_text
from .composition import Composition
from .entity import Entity, Spawn, entries_of, namespace_of
from .entity_specs import default_name, has_scalar_joints, with_one_body
from .model_specs import spec_of


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A model of which entities are made, which differ in name and pose."""

    spec: mujoco.MjSpec
    """The model with a single top-level body, of which each entity gets a copy."""
    body: str
    """The name of the top-level body."""
    name: str
    """The name of an entity that is not given one."""
    urdf: str
    """The text of the URDF that the model was read from; empty for other models."""
    has_joints: bool
    """Whether the model has hinge or slide joints."""

    def entity(self, spawn: Spawn, name: str) -> Entity:
        """Describes the entity that is made for a request. Raises ConfigError for its plugins."""
        namespace = namespace_of(spawn, name)
        return Entity(
            name=name,
            body=f'{name}/{self.body}',
            spawned=True,
            namespace=namespace,
            source=spawn.source.path or spawn.source.xml,
            urdf=self.urdf,
            entries=entries_of(spawn, name, namespace),
            has_joints=self.has_joints,
        )


def read_blueprint(source: ModelSource, kept: ExitStack) -> Blueprint:
    """Reads the model of a source; `kept` keeps open what it is compiled from.

    Raises EntityError where the model cannot be an entity, and what MuJoCo raises.
    """
    spec = with_one_body(source, spec_of(source, kept))
    (body,) = spec.worldbody.bodies
    name = default_name(source, spec)
    return Blueprint(spec, body.name, name, urdf_text(source), has_scalar_joints(spec))


@dataclass(frozen=True, slots=True)
class Part:
    """A spawned entity, with the model that is attached for it."""

    entity: Entity
    spec: mujoco.MjSpec
    position: Sequence[float] | None
    """The position of its body in m; None: as in the model."""
    orientation: Sequence[float] | None
    """The orientation of its body, a quaternion with w first; None: as in the model."""
    size: int
    """The size in bytes of the compiled model of the entity alone."""
    kept: ExitStack = field(repr=False)
    """The open files from which the model is compiled; closing the stack closes them."""

    def attach_to(self, composition: Composition) -> None:
        """Attaches the model to a world, at the pose of the entity."""
        composition.attach(self.entity.name, self.spec)
        composition.place(self.entity.body, (self.position, self.orientation))
