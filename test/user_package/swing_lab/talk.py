"""What the plugin offers where there is ROS."""

from __future__ import annotations

import json
import time

import mujoco
from std_msgs.msg import Float64
from std_srvs.srv import Trigger

from mujoco_ros_py.plugins import ros_type

LookupTransform = ros_type('tf2_msgs/action/LookupTransform')
TF2Error = ros_type('tf2_msgs/msg/TF2Error')


class Talker:
    """Offers services, topics and an action, and answers what clients ask."""

    def __init__(self, swing):
        self.swing, self.environment, self.saved = swing, swing.environment, None
        for answer in (self.energy, self.wait, self.save, self.restore):
            swing.ros.create_service(Trigger, f'~/{answer.__name__}', answer)
        swing.ros.create_action_server(LookupTransform, '~/lookup', self.lookup)
        self.nearest = swing.ros.create_publisher(Float64, '~/nearest')
        self.images = swing.ros.create_publisher(Float64, '~/images')
        swing.ros.create_timer(0.05, self.tell)

    def energy(self, request, response):
        """Tells the energy of this moment: a future answers, when the physics gets to it."""

        def look(model, data):
            mujoco.mj_energyPos(model, data)
            mujoco.mj_energyVel(model, data)
            response.success, response.message = True, f'{data.energy.sum():.9f}'
            return response

        return self.environment.submit(look)

    def wait(self, request, response):
        """Waits for a tenth of a second of simulated time, on the plugin's own thread."""
        end = self.environment.simulation.time + 0.1
        while self.environment.simulation.time < end:
            time.sleep(0.001)
        response.success = True
        return response

    def save(self, request, response):
        """Saves the state, and tells what it is, every number to the bit."""
        self.saved = self.environment.simulation.save().result()
        told = {
            'steps': self.environment.simulation.status().steps,
            'integration': self.saved.integration.tobytes().hex(),
            'integral': self.saved.plugins[self.swing.name]['integral'],
        }
        response.success, response.message = True, json.dumps(told)
        return response

    def restore(self, request, response):
        problems = self.environment.simulation.restore(self.saved).result()
        response.success, response.message = not problems, '; '.join(problems)
        return response

    def lookup(self, goal):
        """Where a body is at a time that may be yet to come, as tf2's buffer server does it."""
        request, result = goal.request, LookupTransform.Result()
        due = request.source_time.sec + request.source_time.nanosec * 1e-9
        while self.environment.simulation.time < due:
            if goal.is_cancel_requested:
                goal.canceled()
                return result
            time.sleep(0.01)
        if request.source_frame != 'world':
            result.error.error = TF2Error.LOOKUP_ERROR
            result.error.error_string = f'{request.source_frame} is not world'
            goal.abort()
            return result
        transform = result.transform.transform

        def look(model, data):
            body = data.body(request.target_frame)
            p, q = transform.translation, transform.rotation
            p.x, p.y, p.z = body.xpos.tolist()
            q.w, q.x, q.y, q.z = body.xquat.tolist()

        self.environment.submit(look).result()
        result.transform.header.frame_id, result.transform.child_frame_id = (
            request.source_frame,
            request.target_frame,
        )
        return result

    def tell(self):
        self.nearest.publish(Float64(data=self.swing.nearest))
        self.images.publish(Float64(data=float(self.swing.images)))
