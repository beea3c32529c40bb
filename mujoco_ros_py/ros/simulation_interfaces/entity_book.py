"""The entities of the world, with the information that clients have set."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from simulation_interfaces.msg import EntityCategory, EntityInfo

from ...errors import EntityError, SpawnFault
from ...session import Entity, World

_BODY = mujoco.mjtObj.mjOBJ_BODY


@dataclass(frozen=True, slots=True)
class Placed:
    """An entity, and the id of its body in the running model."""

    entity: Entity
    body: int
    """The id of the entity's body."""


class EntityBook:
    """Finds entities by name, and keeps the information set by clients while the entity exists."""

    def __init__(self) -> None:
        self._told: dict[str, tuple[Entity, EntityInfo]] = {}

    def tell(self, entity: Entity, info: EntityInfo) -> None:
        """Stores the information about an entity."""
        self._told[entity.name] = (entity, info)

    def info(self, model: mujoco.MjModel, placed: Placed) -> EntityInfo:
        """Returns the stored information about an entity, or else only its category."""
        entity, told = self._told.get(placed.entity.name, (None, None))
        if entity is placed.entity:
            return told
        return EntityInfo(category=EntityCategory(category=_category(model, placed.body)))


def entities_in(world: World, model: mujoco.MjModel) -> list[Placed]:
    """Returns the entities of the world that a model contains."""
    found = ((each, mujoco.mj_name2id(model, _BODY, each.body)) for each in world.entities)
    return [Placed(entity, body) for entity, body in found if body > 0]


def placed_in(model: mujoco.MjModel, entity: Entity) -> Placed:
    """Returns the entity in a model. Raises EntityError if the entity has been removed."""
    body = mujoco.mj_name2id(model, _BODY, entity.body)
    if body <= 0:
        raise EntityError(f'the entity {entity.name!r} is gone', SpawnFault.NOT_FOUND)
    return Placed(entity, body)


def _category(model: mujoco.MjModel, body: int) -> int:
    """Returns the category that a model implies: an entity with actuated joints is a robot."""
    below = model.body_rootid == body
    if not below[model.dof_bodyid].any() and not (model.body_mocapid[below] >= 0).any():
        return int(EntityCategory.CATEGORY_STATIC_OBJECT)
    joint = mujoco.mjtTrn.mjTRN_JOINT, mujoco.mjtTrn.mjTRN_JOINTINPARENT
    driven = np.isin(model.actuator_trntype, [int(each) for each in joint])
    joints = model.actuator_trnid[driven, 0]
    if below[model.jnt_bodyid[joints]].any():
        return int(EntityCategory.CATEGORY_ROBOT)
    return int(EntityCategory.CATEGORY_OBJECT)
