"""The launch files run for real, with a node that reports its arguments instead of the server."""

import json
import stat
import sys
from pathlib import Path

import pytest
import yaml

pytest.importorskip('launch_ros', reason='launch_ros comes with a ROS installation only')

from launch import LaunchDescription, LaunchService
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource

from mujoco_ros_py.config.launch_arguments import launch_arguments

ROOT = Path(__file__).parents[2]

PROBE = """#!{python}
import json, sys
import rclpy
rclpy.init(args=sys.argv)
node = rclpy.create_node('probe', automatically_declare_parameters_from_overrides=True)
values = {{name: parameter.value for name, parameter in node.get_parameters_by_prefix('').items()}}
values['name'] = node.get_fully_qualified_name()
values['log_level'] = node.get_logger().get_effective_level().name
nodes = node.get_node_names_and_namespaces_with_enclaves()
values['enclave'] = dict((name, enclave) for name, _, enclave in nodes)[node.get_name()]
with open({answer!r}, 'w') as file:
    json.dump(values, file, default=list)
"""


@pytest.fixture
def launched(tmp_path, monkeypatch):
    """Returns a function that runs a launch file, and returns what reached the server."""
    share = tmp_path / 'share' / 'mujoco_ros_py'
    share.mkdir(parents=True)
    for folder in ('config', 'launch'):
        (share / folder).symlink_to(ROOT / folder)
    marker = tmp_path / 'share/ament_index/resource_index/packages/mujoco_ros_py'
    marker.parent.mkdir(parents=True)
    marker.touch()
    answer = tmp_path / 'answer.json'
    server = tmp_path / 'lib' / 'mujoco_ros_py' / 'server'
    server.parent.mkdir(parents=True)
    server.write_text(PROBE.format(python=sys.executable, answer=str(answer)))
    for program in ('pick_and_place', 'drive_square', 'follow_wall', 'walk'):
        (server.parent / program).write_text(f'#!/bin/sh\necho > {tmp_path}/{program}\n')
    manager = tmp_path / 'lib' / 'controller_manager'
    manager.mkdir()
    marker.with_name('controller_manager').touch()
    for program in ('ros2_control_node', 'spawner'):
        (manager / program).write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/{program}\n')
    for each in (*server.parent.iterdir(), *manager.iterdir()):
        each.chmod(each.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))
    monkeypatch.setenv('ROS_LOG_DIR', str(tmp_path / 'log'))

    def run(name, *before, **arguments):
        argv = [f'{each}:={value}' for each, value in arguments.items()]
        service = LaunchService(argv=argv, noninteractive=True)
        service.include_launch_description(
            LaunchDescription([*before, _include(name, launch_arguments=arguments.items())])
        )
        return json.loads(answer.read_text()) if service.run() == 0 else None

    return run


def _include(name, **options):
    source = PythonLaunchDescriptionSource(str(ROOT / 'launch' / name))
    return IncludeLaunchDescription(source, **options)


def test_without_arguments_the_server_keeps_its_own_defaults(launched):
    values = launched('server.launch.py')
    assert values.pop('name') == '/mujoco_server'
    assert values.pop('log_level') == 'INFO'
    assert values.pop('enclave') == '/'
    assert set(values) <= {'use_sim_time', 'start_type_description_service'}


def test_every_argument_reaches_the_server_with_the_type_it_declares(launched):
    values = launched(
        'server.launch.py',
        modelfile='42',
        mujoco_xml='<mujoco/>',
        unpause='false',
        realtime='2',
        num_steps='5000',
        headless='false',
        render_offscreen='true',
        eval_mode='true',
        admin_hash='0123',
        viewer='web',
        viewer_port='8080',
        strict='true',
        reload_modules='true',
        http_hosts='localhost:80',
        use_sim_time='true',
        namespace='lab',
        log_level='warn',
        enclave='/mujoco/server',
    )
    assert values['realtime'] == 2.0
    assert isinstance(values['realtime'], float)
    assert {name: values[name] for name in values if name != 'realtime'} == {
        'modelfile': '42',
        'mujoco_xml': '<mujoco/>',
        'unpause': False,
        'num_steps': 5000,
        'headless': False,
        'render_offscreen': True,
        'eval_mode': True,
        'admin_hash': '0123',
        'viewer': 'web',
        'viewer_port': 8080,
        'strict': True,
        'reload_modules': True,
        'http_hosts': ['localhost:80'],
        'use_sim_time': True,
        'name': '/lab/mujoco_server',
        'log_level': 'WARN',
        'enclave': '/mujoco/server',
        'start_type_description_service': values['start_type_description_service'],
    }


@pytest.mark.parametrize('text', ['0815', '0123', '1e3', 'true', "it's", 'null', '#1'])
def test_a_text_that_yaml_would_take_for_something_else_stays_the_text_it_is(launched, text):
    assert launched('server.launch.py', admin_hash=text)['admin_hash'] == text


@pytest.mark.parametrize(
    ('argument', 'value', 'said'),
    [
        ('realtime', 'fast', "realtime must be a number, got 'fast'"),
        ('num_steps', '1.5', "num_steps must be a whole number, got '1.5'"),
        ('num_steps', '[', "num_steps must be a whole number, got '['"),
        ('unpause', '2', "unpause must be true or false, got '2'"),
        ('log_level', 'loud', 'log_level must be one of debug, info, warn, error, fatal'),
        ('initial_joint_positions', '0.5', "must map joints to numbers, as in '{joint1: 0.5}'"),
        ('initial_joint_positions', '{joint1: up}', "joint1, must be a number, got 'up'"),
        ('params_file', '/no/such/file.yaml', 'params_file must be a file'),
        ('plugin_config', '/no/such/file.yaml', 'plugin_config must be a file'),
    ],
)
def test_a_wrong_argument_stops_the_launch_with_its_name_and_the_rule(
    launched, caplog, argument, value, said
):
    assert launched('server.launch.py', **{argument: value}) is None
    assert said in caplog.text


@pytest.mark.parametrize('key', ['/**', 'mujoco_server', '/mujoco_server'])
def test_an_argument_beats_the_parameter_file_and_leaves_the_rest_of_it(launched, tmp_path, key):
    file = tmp_path / 'params.yaml'
    file.write_text(f'{key}: {{ros__parameters: {{realtime: 3.0, num_steps: 7}}}}')
    values = launched('server.launch.py', params_file=str(file), realtime='-1')
    assert (values['realtime'], values['num_steps']) == (-1.0, 7)


@pytest.mark.parametrize(
    ('argument', 'said'),
    [
        ('viwer', "unknown launch argument 'viwer' (did you mean 'viewer'?)"),
        ('foo', "'foo'; known"),
    ],
)
def test_an_unknown_argument_stops_the_launch_with_a_suggestion(launched, caplog, argument, said):
    assert launched('server.launch.py', **{argument: 'web'}) is None
    assert said in caplog.text


def test_a_launch_file_around_it_has_arguments_of_its_own(launched):
    own = DeclareLaunchArgument('robot', default_value='')
    assert launched('server.launch.py', own, robot='left', num_steps='7')['num_steps'] == 7


def test_initial_joint_states_become_lists_of_floats(launched):
    values = launched(
        'server.launch.py',
        initial_joint_positions='{joint1: 1, box: [0, 0, 0.5, 1, 0, 0, 0]}',
        initial_joint_velocities='{joint1: -0.5}',
    )
    assert values['initial_joint_positions.joint_map.joint1'] == 1.0
    assert values['initial_joint_positions.joint_map.box'] == [0, 0, 0.5, 1, 0, 0, 0]
    assert values['initial_joint_velocities.joint_map.joint1'] == -0.5


@pytest.mark.parametrize('modules', [['my_pkg.scenes'], ['my_pkg', 'other.scenes']])
def test_modules_become_a_list(launched, modules):
    uri = 'python://my_pkg.scenes:arena?arms=3'
    values = launched('server.launch.py', modelfile=uri, model_modules=' '.join(modules))
    assert (values['modelfile'], values['model_modules']) == (uri, modules)


def test_a_plugin_list_reaches_the_server_as_the_path_of_its_file(launched, tmp_path, monkeypatch):
    (tmp_path / 'plugins.yaml').write_text('- type: my_pkg/Arm\n')
    monkeypatch.chdir(tmp_path)
    values = launched('server.launch.py', plugin_config='plugins.yaml')
    assert values['MujocoPlugins'] == str(tmp_path / 'plugins.yaml')


def test_a_plugin_config_that_is_a_parameter_file_is_passed_as_one(launched, tmp_path):
    file = tmp_path / 'plugins.yaml'
    file.write_text('/**: {ros__parameters: {MujocoPlugins: {names: [b, a]}}}')
    values = launched('server.launch.py', plugin_config=str(file))
    assert values['MujocoPlugins.names'] == ['b', 'a']


def test_the_demo_runs_the_arm_and_takes_the_arguments_of_the_server(launched):
    values = launched('demo.launch.py', num_steps='10')
    assert values['modelfile'] == 'package://mujoco_ros_py/examples/arm.xml'
    assert values['num_steps'] == 10


@pytest.mark.parametrize(
    ('robot', 'program'),
    [
        ('picker', 'pick_and_place'),
        ('rover', 'drive_square'),
        ('rover_hall', 'follow_wall'),
        ('quadruped', 'walk'),
    ],
)
def test_an_example_robot_starts_with_its_program(launched, tmp_path, robot, program):
    values = launched(f'{robot}.launch.py')
    assert values['modelfile'] == f'package://mujoco_ros_py/examples/{robot}.xml'
    assert (tmp_path / program).exists()


def test_every_argument_of_the_server_is_described():
    source = PythonLaunchDescriptionSource(str(ROOT / 'launch' / 'server.launch.py'))
    description = source.try_get_launch_description_without_context()
    arguments = [item for item in description.entities if isinstance(item, DeclareLaunchArgument)]
    assert {item.name: item.description for item in arguments} == launch_arguments()


CONTROLLERS = """
/**: {ros__parameters: {use_sim_time: true}}
controller_manager: {ros__parameters: {update_rate: 250}}
"""


def test_the_server_and_the_controller_manager_get_one_urdf(launched, tmp_path):
    file = tmp_path / 'controllers.yaml'
    file.write_text(CONTROLLERS)
    values = launched(
        'ros2_control.launch.py',
        modelfile='robot.urdf', controllers_file=str(file), controllers='broadcaster arm',
    )  # fmt: skip
    assert yaml.safe_load(Path(values['MujocoPlugins']).read_text()) == [
        {'type': 'mujoco_ros_py/TopicBasedHardware', 'update_rate': 250.0},
        {'type': 'mujoco_ros_py/RobotDescription'},
    ]
    assert (values['modelfile'], values['joint_states_rate']) == ('robot.urdf', 0.0)
    assert f'--params-file {file}' in (tmp_path / 'ros2_control_node').read_text()
    told = (tmp_path / 'spawner').read_text()
    assert told.startswith(f'broadcaster arm --param-file {file}')


@pytest.mark.parametrize(
    ('text', 'rate'),
    [
        ('left: {controller_manager: {ros__parameters: {update_rate: 250}}}', 250.0),
        ('/**: {controller_manager: {ros__parameters: {update_rate: 50}}}', 50.0),
        (
            '/**: {ros__parameters: {update_rate: 50}}\n'
            'controller_manager: {ros__parameters: {update_rate: 200}}',
            200.0,
        ),
        ('arm: {ros__parameters: {update_rate: 50}}', 100.0),
    ],
)
def test_the_update_rate_is_that_of_the_controller_manager(launched, tmp_path, text, rate):
    file = tmp_path / 'controllers.yaml'
    file.write_text(text)
    values = launched(
        'ros2_control.launch.py',
        modelfile='robot.urdf', controllers_file=str(file), systems='arm gripper',
    )  # fmt: skip
    assert yaml.safe_load(Path(values['MujocoPlugins']).read_text())[:2] == [
        {'type': 'mujoco_ros_py/TopicBasedHardware', 'update_rate': rate,
         'name': name, 'system': name}
        for name in ('arm', 'gripper')
    ]  # fmt: skip
    assert values['strict'] is True
