"""The names of the objects of a model, all at once and one by one."""

import mujoco
import pytest

from mujoco_ros_py.simulation.models.object_names import given_name, given_names

MODEL = """
<mujoco>
  <asset><material name="grey"/></asset>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="Käfer">
      <freejoint/>
      <geom name="shell" size="0.1"/><geom size="0.1"/><geom name="nose" size="0.1"/>
      <body><joint name="hinge"/><geom size="0.1"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="hinge"/><motor name="last" joint="hinge"/></actuator>
</mujoco>"""


@pytest.mark.parametrize('kind', ['BODY', 'JOINT', 'GEOM', 'SITE', 'ACTUATOR', 'MATERIAL'])
def test_all_names_are_those_of_each_object(kind):
    model = mujoco.MjModel.from_xml_string(MODEL)
    of = getattr(mujoco.mjtObj, f'mjOBJ_{kind}')
    counts = {'BODY': 3, 'JOINT': 2, 'GEOM': 5, 'SITE': 0, 'ACTUATOR': 2, 'MATERIAL': 1}
    expected = [given_name(model, of, index) for index in range(counts[kind])]
    assert given_names(model, of) == expected
