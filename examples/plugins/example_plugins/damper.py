from dataclasses import dataclass

from mujoco_ros_py.plugins import MujocoPlugin, Reconfigurable, compiled, new_state, ranged


@dataclass(frozen=True)
class Config:
    """The configuration of the damper."""

    damping: float = ranged(0.1, minimum=0.0, unit='N m s/rad', live=True)
    """Damping torque per joint velocity."""


class Damper(MujocoPlugin[Config], Reconfigurable):
    """Damps every joint with a torque proportional to its velocity."""

    def load(self, model, data):
        self.state = new_state(damping=self.config.damping)

    def configure(self, config):
        self.state.damping = config.damping

    @staticmethod
    @compiled
    def passive_callback(state, model, data):
        for dof in range(model.nv):
            data.qfrc_passive[dof] -= state.damping * data.qvel[dof]
