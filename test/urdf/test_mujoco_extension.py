import pytest

from mujoco_ros_py.errors import UrdfError

from .test_meshes import OBJ, shape


def test_the_mujoco_element_has_options_and_whatever_else_mjcf_can_say(arm):
    model = arm(
        more="""
        <mujoco>
          <option timestep="0.001" integrator="implicitfast"/>
          <worldbody><geom name="floor" type="plane" size="1 1 1" pos="0 0 -1"/></worldbody>
          <sensor><jointpos joint="elbow"/><framepos objtype="body" objname="upper"/></sensor>
        </mujoco>"""
    ).model
    assert model.opt.timestep == 0.001
    assert model.geom('floor').bodyid == 0
    assert model.nsensor == 2


def test_files_are_in_the_folders_of_the_compiler_element(arm):
    for compiler in ('meshdir="parts"', 'meshdir="parts" strippath="true" angle="degree"'):
        name = 'a.obj' if 'strip' not in compiler else 'lost/a.obj'
        robot = arm(
            upper=shape('collision', name),
            more=f'<mujoco><compiler {compiler}/></mujoco>',
            assets={'parts/a.obj': OBJ},
        )
        assert robot.model.nmesh == 1
        assert list(robot.model.joint('elbow').range) == [-1, 1.5]


def test_other_settings_of_the_compiler_element_count(arm):
    visual = '<visual><geometry><sphere radius="1"/></geometry></visual>'
    more = '<mujoco><compiler discardvisual="true" settotalmass="5"/></mujoco>'
    model = arm(upper=visual, more=more).model
    assert model.ngeom == 1
    assert model.body('upper').mass == pytest.approx(5)


@pytest.mark.parametrize(
    ('inside', 'reason'),
    [
        ('<optoin/>', 'optoin'),
        ('<compiler boundmas="1"/>', 'boundmas'),
        ('<option timestep="fast"/>', 'timestep must be a number'),
        ('<worldbody><body name="upper"/></worldbody>', "'upper'"),
    ],
)
def test_what_is_not_mjcf_is_told_with_the_place(arm, inside, reason):
    with pytest.raises(UrdfError, match=f'Line .*<mujoco>: .*{reason}'):
        arm(more=f'<mujoco>{inside}</mujoco>')
