from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state


class Damper(MujocoPlugin):
    """Brakes every joint by a torque against its velocity."""

    def load(self, model, data):
        self.state = new_state(damping=float(self.config.get('damping', 0.1)))

    @compiled
    def passive_callback(state, model, data):
        for dof in range(model.nv):
            data.qfrc_passive[dof] -= state.damping * data.qvel[dof]
