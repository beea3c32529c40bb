from std_srvs.srv import Trigger

from mujoco_ros_py.plugins import MujocoPlugin


class Keeper(MujocoPlugin):
    """Saves and restores the state of the simulation through two services."""

    def load(self, model, data):
        self.saved = None
        self.ros.create_service(Trigger, '~/save', self.keep)
        self.ros.create_service(Trigger, '~/restore', self.bring_back)

    def keep(self, request, response):
        self.saved = self.environment.simulation.save().result()
        response.success, response.message = True, f'saved at {self.saved.time:.3f} s'
        return response

    def bring_back(self, request, response):
        if self.saved is None:
            response.message = 'nothing has been saved'
            return response
        problems = self.environment.simulation.restore(self.saved).result()
        response.success, response.message = True, '; '.join(problems) or 'restored'
        return response
