"""Sends itself a request to spawn an entity; prints the result and the fields of the request."""

import json

import rclpy
from answers import DEADLINE_S, answered
from simulation_interfaces.msg import Result
from simulation_interfaces.srv import SpawnEntity

rclpy.init()
node = rclpy.create_node('simulator')
heard = []


def spawn(request, response):
    heard.append(request)
    response.result.result = Result.RESULT_OK
    response.entity_name = request.name
    return response


node.create_service(SpawnEntity, 'spawn_entity', spawn)
client = node.create_client(SpawnEntity, 'spawn_entity')
assert client.wait_for_service(DEADLINE_S)
request = SpawnEntity.Request(name='cube')
if hasattr(request, 'entity_resource'):
    request.entity_resource.uri = 'cube.xml'
else:
    request.uri = 'cube.xml'
response = answered(node, lambda: client.call_async(request))
print(
    json.dumps(
        [heard[0] == request, response.entity_name, sorted(request._fields_and_field_types)]
    )
)
