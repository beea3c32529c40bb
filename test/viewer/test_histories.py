"""The plotted numbers over time and the log lines that the page keeps."""

import logging

import mujoco
import numpy as np

from mujoco_ros_py.viewer.page.histories import Histories, joint_values, sensor_values
from mujoco_ros_py.viewer.status_report import LogLines

MODEL = """
<mujoco>
  <worldbody>
    <body><joint name="elbow"/><geom size="1"/>
      <body><joint type="slide"/><geom size="1"/><site name="tip"/></body>
    </body>
    <body name="ball"><freejoint name="free"/><geom size="1"/></body>
  </worldbody>
  <sensor><framepos name="place" objtype="site" objname="tip"/><clock name="clock"/></sensor>
</mujoco>"""


def test_a_line_has_its_newest_values_in_order():
    histories = Histories()
    for step in range(400):
        histories.add('cost', 0.1 * step, {'a': float(step)})
    times, values = histories.lines('cost')['a']
    assert values == list(range(400 - len(values), 400))
    assert np.allclose(times, 0.1 * np.array(values))
    assert 100 < len(values) < 400


def test_a_line_without_a_value_ends_and_a_reset_begins_anew():
    histories = Histories()
    histories.add('cost', 1.0, {'a': 1.0, 'b': 2.0})
    histories.add('cost', 2.0, {'a': 3.0})
    assert histories.lines('cost') == {'a': ([1.0, 2.0], [1.0, 3.0])}
    histories.add('cost', 2.0, {'a': 9.0})
    assert histories.lines('cost') == {'a': ([1.0, 2.0], [1.0, 3.0])}
    histories.add('cost', 0.0, {'a': 4.0})
    assert histories.lines('cost') == {'a': ([0.0], [4.0])}
    histories.clear('cost')
    assert histories.lines('cost') == {}


def test_joints_and_sensors_have_names_and_values():
    model = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(model)
    data.qpos[:2] = 0.5, 0.25
    data.time = 3.0
    mujoco.mj_forward(model, data)
    assert joint_values(model, data, '') == {'elbow': 0.5, 'joint 1': 0.25}
    assert joint_values(model, data, 'elb') == {'elbow': 0.5}
    assert sensor_values(model, data, 'clo') == {'clock': 3.0}
    place = sensor_values(model, data, 'place')
    assert list(place) == ['place [0]', 'place [1]', 'place [2]']
    assert np.allclose(list(place.values()), data.site('tip').xpos)


def test_the_newest_lines_of_the_log_are_kept_until_the_end():
    log, lines = logging.getLogger('mujoco_ros_py.somewhere'), LogLines()
    lines.begin()
    for number in range(50):
        log.warning('line %d', number)
    log.debug('too little')
    lines.handle(logging.makeLogRecord({'levelno': logging.ERROR, 'msg': '%d', 'args': ('two',)}))
    lines.end()
    log.warning('after the end')
    assert lines.newest[-1] == ('WARNING', 'line 49')
    texts = [text for _, text in lines.newest]
    assert texts == [f'line {number}' for number in range(50 - len(texts), 50)]
    assert 5 < len(texts) < 50
