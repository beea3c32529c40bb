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


@pytest.mark.parametrize(
    ('compiler', 'name', 'there'),
    [
        ('meshdir="meshes"', 'meshes/a.obj', 'meshes/a.obj'),
        ('meshdir="../meshes/"', '../meshes/a.obj', '../meshes/a.obj'),
        ('assetdir="parts"', 'meshes/a.obj', 'meshes/a.obj'),
        ('meshdir="lost" strippath="true"', 'meshes/a.obj', 'meshes/a.obj'),
        ('meshdir="meshes"', 'package:///a.obj', 'meshes/a.obj'),
        ('meshdir="meshes"', 'package:///meshes/a.obj', 'meshes/a.obj'),
        ('', 'package:///a.obj', 'a.obj'),
    ],
)
def test_a_file_that_is_not_in_the_folder_of_the_compiler_element_is_where_it_is_written(
    arm, tmp_path, compiler, name, there
):
    place = tmp_path / 'urdf' / there
    (tmp_path / 'urdf').mkdir()
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(OBJ)
    more = f'<mujoco><compiler {compiler}/></mujoco>' if compiler else ''
    for found in (
        arm(upper=shape('collision', name), more=more, folder=str(tmp_path / 'urdf')),
        arm(upper=shape('collision', name), more=more, assets={there: OBJ}),
    ):
        assert found.model.nmesh == 1


def test_the_folder_of_the_compiler_element_comes_first(arm):
    robot = arm(
        upper=shape('collision', 'meshes/a.obj'),
        more='<mujoco><compiler meshdir="meshes"/></mujoco>',
        assets={'meshes/a.obj': b'', 'meshes/meshes/a.obj': OBJ},
    )
    assert robot.model.nmesh == 1


def test_the_error_of_a_missing_file_names_all_places(arm, tmp_path):
    more = '<mujoco><compiler meshdir="lost"/></mujoco>'
    with pytest.raises(UrdfError) as error:
        arm(upper=shape('visual', 'a.obj'), more=more, folder=str(tmp_path))
    assert str(error.value).endswith(
        f"'lost/a.obj' cannot be read: {tmp_path}/lost/a.obj: No such file or directory;"
        " also tried 'a.obj'"
    )


def test_a_file_that_cannot_be_opened_is_not_replaced_by_another(arm, tmp_path):
    (tmp_path / 'meshes/a.obj').mkdir(parents=True)
    more = '<mujoco><compiler meshdir="meshes"/></mujoco>'
    with pytest.raises(UrdfError, match=r"'meshes/a\.obj' cannot be read: .*Is a directory$"):
        arm(upper=shape('visual', 'a.obj'), more=more, folder=str(tmp_path), assets={'a.obj': OBJ})


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
