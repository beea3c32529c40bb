"""Diagrams that explain how the parts of the server work together."""

from __future__ import annotations

from itertools import pairwise

from matplotlib.figure import Figure

from .board import BLUE, GREEN, GREY, ORANGE, PALE, RED, Board


def plugins() -> Figure:
    """Draws the life cycle of a plugin, and the callbacks within one step."""
    board = Board(9.2, 4.25)
    board.text(0.2, 4.0, 'The life of a plugin', size=11, ha='left', weight='bold')
    states = [
        board.box(x, 3.3, text, color=color, width=1.75, height=0.75)
        for x, text, color in (
            (1.2, 'registered\nhas a type', BLUE),
            (3.6, 'instantiated\n__init__', BLUE),
            (6.0, 'loaded\nload, after_load', GREEN),
            (8.2, 'unloaded\nunload', GREY),
        )
    ]
    refused = board.box(2.4, 2.2, 'refused\nuntil a reload', color=RED, width=1.75)
    failed = board.box(7.1, 2.2, 'failed\nit raised', color=RED, width=1.75)
    for start, end in ((0, 1), (1, 2), (2, 3)):
        board.arrow(states[start], states[end])
    for start, end in ((states[0], refused), (states[1], refused), (states[2], failed)):
        board.arrow(start, end)
    board.arrow(states[2], refused, 'load refuses', at=(4.45, 2.62))
    board.arrow(failed, states[3])
    board.text(0.2, 1.5, 'One step, with the Euler integrator', size=11, ha='left', weight='bold')
    steps = [
        board.box(0.98 + 1.81 * number, 0.75, text, color=color, width=1.6, height=0.7, size=8.5)
        for number, (text, color) in enumerate(
            (
                ('positions, velocities\nby MuJoCo', GREY),
                ('passive_callback\nadds to qfrc_passive', ORANGE),
                ('read, control,\nwrite_callback: ctrl', ORANGE),
                ('forces, integration\nby MuJoCo', GREY),
                ('last_stage_callback\nreads, publishes', ORANGE),
            )
        )
    ]
    for before, after in pairwise(steps):
        board.arrow(before, after)
    return board.figure


def services() -> Figure:
    """Draws the states of the simulation, and the transitions between them."""
    board = Board(9.2, 3.9)
    loading = board.box(1.1, 3.1, 'loading\nmodel, plugins', color=GREY, width=1.7)
    paused = board.box(4.4, 2.2, 'paused\ntime is frozen', color=BLUE)
    running = board.box(8.0, 2.2, 'running\nat realtime', color=GREEN)
    stopped = board.box(6.2, 0.45, 'stopped\nfatal error of libmujoco', color=RED, width=2.2)
    ended = board.box(1.1, 0.45, 'ended\nplugins unloaded', color=GREY, width=1.7)
    board.arrow(loading, paused, 'unpause: false')
    board.arrow(loading, running, 'unpause: true', bend=-0.2, at=(5.4, 3.33))
    board.arrow(paused, running, '~/set_pause false', bend=-0.25, at=(6.2, 2.48))
    board.arrow(running, paused, '~/set_pause true', bend=-0.25, at=(6.2, 1.92))
    board.arrow(running, stopped)
    board.arrow(stopped, paused, '~/reset, ~/reload', at=(5.3, 1.35))
    board.arrow(paused, ended, '~/shutdown', at=(2.7, 1.3))
    board.text(4.4, 2.72, '~/step: one step', size=9)
    board.text(8.0, 2.9, '~/reset and ~/reload:\nstays paused or running', size=9)
    board.text(3.4, 0.45, 'Ctrl-C and num_steps\nend any state', size=9)
    return board.figure


def parameters() -> Figure:
    """Draws the sources of parameters, and when changes take effect."""
    board = Board(9.2, 3.7)
    sources = [
        board.box(1.35, y, text, color=GREY, width=2.4, height=0.62)
        for y, text in (
            (3.15, 'start\n--params-file, -p, launch file'),
            (2.3, 'while it runs\nros2 param set'),
            (1.45, 'file\nnamed by MujocoPlugins'),
            (0.6, 'parameter servers\nif the node has no list'),
        )
    ]
    node = board.box(4.75, 2.7, 'parameters\nof /mujoco_server', color=BLUE, height=0.8)
    plugins = board.box(4.75, 1.0, 'MujocoPlugins\ntype, name, configuration', color=BLUE)
    effects = [
        board.box(7.85, y, text, color=GREEN, width=2.3, height=0.7)
        for y, text in (
            (3.15, 'at the start\nread-only afterwards'),
            (2.1, 'at once\nrealtime, live values'),
            (0.95, 'at a reload\nmodel, plugins, cameras, joints'),
        )
    ]
    board.arrow(sources[0], node)
    board.arrow(sources[1], node)
    board.arrow(sources[2], plugins)
    board.arrow(sources[3], plugins)
    board.arrow(node, plugins)
    for effect in effects:
        board.arrow(node, effect)
    board.arrow(plugins, effects[2])
    return board.figure


def urdf() -> Figure:
    """Draws the conversion of URDF elements to MJCF elements."""
    board = Board(9.2, 4.3)
    board.text(1.7, 4.05, 'URDF', size=11, weight='bold')
    board.text(7.3, 4.05, 'model', size=11, weight='bold')
    for number, (element, made) in enumerate((
        ('<link>, also on fixed joints', 'body with its frame'),
        ('<visual>, <collision>, meshes', 'geoms of two classes'),
        ('<joint>, its limits and <mimic>', 'joint, range, equality'),
        ('<ros2_control> or <transmission>', 'actuators'),
        ('<gazebo>: friction, gravity, springs', 'attributes of geoms, bodies, joints'),
        ('<gazebo>: sensors, plugins', 'skipped, with one log line'),
    )):  # fmt: skip
        y = 3.5 - 0.6 * number
        color = RED if made.startswith('skipped') else GREEN
        source = board.box(1.7, y, element, width=3.2, height=0.45, color=BLUE, size=9)
        target = board.box(7.3, y, made, width=3.2, height=0.45, color=color, size=9)
        board.arrow(source, target)
    return board.figure


def simulation_interfaces() -> Figure:
    """Draws the states of the simulation as the standard names them."""
    board = Board(9.2, 3.3)
    stopped = board.box(1.5, 1.9, 'STOPPED\npaused at the start', color=GREY, width=2.0)
    playing = board.box(5.0, 2.7, 'PLAYING\nat realtime', color=GREEN, width=1.9)
    paused = board.box(5.0, 0.9, 'PAUSED\nStepSimulation', color=BLUE, width=1.9)
    no_world = board.box(8.1, 1.9, 'NO_WORLD\nempty', color=ORANGE, width=1.5)
    board.arrow(stopped, playing, bend=-0.12)
    board.arrow(playing, stopped, bend=-0.12)
    board.arrow(stopped, paused, bend=-0.12)
    board.arrow(paused, stopped, bend=-0.12)
    board.arrow(playing, paused, bend=-0.25)
    board.arrow(paused, playing, bend=-0.25)
    board.arrow(playing, no_world)
    board.arrow(paused, no_world)
    board.text(3.2, 1.85, 'SetSimulationState', size=9)
    board.text(8.0, 2.75, 'UnloadWorld', size=9)
    board.text(2.6, 0.35, 'ResetSimulation, LoadWorld: back to the start', size=9)
    board.text(7.6, 0.35, 'QUITTING ends any state', size=9)
    return board.figure


def resource_providers() -> Figure:
    """Draws how MuJoCo opens a resource through a provider."""
    board = Board(9.2, 3.7)
    mujoco = board.box(1.3, 1.85, 'MuJoCo\nloads a model and\nits resources', height=0.95)
    table = board.box(4.35, 1.85, 'table of prefixes\nprefix:rest of the name', color=GREY)
    board.arrow(mujoco, table, 'open\nread\nclose', at=(2.8, 1.85))
    for number, text in enumerate((
        'package:\nfiles of ROS packages',
        'data:\ncontent of the URI itself',
        'mem:\nfiles in memory',
        'zip:\nfiles in an archive',
        'http:, https:\nfrom allowed hosts',
        'fence:\nyour own provider',
    )):  # fmt: skip
        color = ORANGE if text.startswith('fence') else GREEN
        y = 3.35 - 0.6 * number
        board.box(7.75, y, text, width=2.6, height=0.5, color=color, size=9)
        board.arrow((5.3, 1.85), (6.43, y))
    return board.figure


def architecture() -> Figure:
    """Draws the threads of the server, and the data that they exchange."""
    board = Board(9.2, 4.7)
    executor = board.box(1.4, 4.25, 'executor\nservices, parameters', width=2.3)
    errands = board.box(1.4, 3.15, 'one thread per plugin\nROS callbacks', width=2.3)
    loader = board.box(1.4, 2.05, 'loader\nconstructs plugins', width=2.3)
    trial = board.box(
        1.4, 0.55, 'another process\ncompiles models, may crash', color=RED, width=2.3
    )
    queue = board.box(4.5, 3.15, 'commands\none queue, with futures', color=GREY)
    physics = board.box(
        4.5, 1.75, 'physics\nowns mjData:\nloop, callbacks, plugins', color=ORANGE, height=0.95
    )
    clock = board.box(4.5, 0.4, "clock, diagnostics\nread the loop's record", color=GREEN)
    snapshots = board.box(6.65, 1.75, 'snapshots\nlatest wins', color=GREY, width=1.5)
    feed = board.box(7.95, 3.15, 'feed\njoint states, TF, followers', color=GREEN, width=2.2)
    render = board.box(7.95, 0.4, 'render, images\ncameras', color=GREEN, width=2.2)
    for source in (executor, errands, loader):
        board.arrow(source, queue)
    board.arrow(executor, errands)
    board.arrow(queue, physics, 'between two steps')
    board.arrow(physics, clock)
    board.arrow(physics, snapshots)
    board.arrow(snapshots, feed)
    board.arrow(snapshots, render)
    board.arrow(loader, trial, 'models', both=True)
    board.text(6.6, 4.35, 'blue: commands in    green: results out\ngrey: thread boundaries')
    return board.figure


def nav2() -> Figure:
    """Draws the topics between Nav2 and the server."""
    board = Board(9.2, 3.4)
    server = board.box(
        1.6, 1.7, 'mujoco_ros_py\nthe base controller,\nTransforms, LaserScan', color=ORANGE,
        width=2.5, height=1.2,
    )  # fmt: skip
    nav2 = board.box(7.4, 1.7, 'Nav2\nwith use_sim_time', color=BLUE, width=2.6, height=1.2)
    localisation = board.box(7.4, 0.35, 'localisation: amcl, slam_toolbox', color=GREEN, width=3.0)
    board.arrow(server, nav2, '/clock, odom, scan', bend=-0.35, at=(4.5, 2.85))
    board.arrow(server, nav2, '/tf: odom, base_link, sensors', bend=-0.12, at=(4.5, 2.1))
    board.arrow(nav2, server, 'cmd_vel: TwistStamped or Twist', bend=-0.2, at=(4.5, 1.15))
    board.arrow(localisation, nav2, '/tf: map, odom')
    return board.figure


def moveit() -> Figure:
    """Draws the topics and actions between MoveIt and the server."""
    board = Board(9.2, 2.8)
    server = board.box(
        1.6, 1.4, 'mujoco_ros_py\nJointTrajectoryController,\na gripper, /clock', color=ORANGE,
        width=2.7, height=1.2,
    )  # fmt: skip
    moveit = board.box(7.4, 1.4, 'MoveIt\nwith use_sim_time', color=BLUE, width=2.6, height=1.2)
    board.arrow(server, moveit, '/clock, /joint_states', bend=-0.25, at=(4.5, 2.3))
    board.arrow(moveit, server, 'goal: trajectory', bend=-0.08, at=(4.5, 1.05))
    board.arrow(moveit, server, 'goal: gripper position', bend=-0.25, at=(4.5, 0.5))
    return board.figure


def several_robots() -> Figure:
    """Draws the names of two arms in the model, in their plugin groups and in ROS."""
    board = Board(9.2, 3.0)
    for y, arm, color in ((2.2, 'arm1', BLUE), (0.75, 'arm2', GREEN)):
        model = board.box(
            1.5, y, f'in the model\n{arm}/joint1, {arm}/joint2,\n{arm}/link1', color=color,
            width=2.3, height=1.05,
        )  # fmt: skip
        group = board.box(
            4.6, y, f'namespace: {arm}\njoints: [joint1, joint2]', color=ORANGE, width=2.2
        )
        topics = board.box(
            7.7, y, f'in ROS\n/{arm}/joint_states: joint1, ...\nframe {arm}/link1', color=color,
            width=2.5, height=1.05,
        )  # fmt: skip
        board.arrow(model, group, both=True)
        board.arrow(group, topics, both=True)
    return board.figure


def viewer() -> Figure:
    """Draws the data flow between the physics and the browsers."""
    board = Board(9.2, 2.9)
    server = board.box(
        1.35, 1.6, 'server\nphysics, plugins,\nservices', color=GREEN, width=2.0, height=0.95
    )
    studio = board.box(
        4.55, 1.6, 'viewer process\nMuJoCo Studio,\non 127.0.0.1', width=2.2, height=0.95
    )
    here = board.box(7.95, 2.2, 'browser\non this machine', color=ORANGE, width=2.0)
    far = board.box(7.95, 0.9, 'browser\nremote, through SSH', color=ORANGE, width=2.0)
    board.arrow(server, studio, 'models, states', bend=-0.25, at=(2.9, 2.12))
    board.arrow(studio, server, 'commands,\ndrag forces', bend=-0.25, at=(2.9, 0.84))
    for browser in here, far:
        board.arrow(studio, browser, both=True)
    board.text(7.95, 2.68, 'needs the token in the address', size=9)
    board.text(
        4.6, 0.3, 'Browsers render. The physics never waits for a browser.', size=9, color=PALE
    )
    return board.figure


def from_ros2_control() -> Figure:
    """Draws the two ways to run a ros2_control robot."""
    board = Board(9.2, 3.0)
    program = board.box(1.2, 1.5, 'programs\nMoveIt, Nav2, ...', color=BLUE, width=1.9)
    manager = board.box(
        4.4, 2.3, 'controller manager\ncontrollers of ros2_control,\nJointStateTopicSystem',
        color=GREEN, width=2.6, height=1.05,
    )  # fmt: skip
    hardware = board.box(7.7, 2.3, 'TopicBasedHardware', color=ORANGE, width=2.0)
    own = board.box(6.6, 0.6, 'controllers of mujoco_ros_py', color=ORANGE, width=3.0)
    board.arrow(program, manager)
    board.arrow(manager, hardware, both=True)
    board.arrow(program, own, 'the same actions and topics', at=(3.6, 0.65))
    return board.figure
