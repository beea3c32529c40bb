"""Random content of zip and skin files is read or rejected, and quickly."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from struct import pack
from tempfile import TemporaryDirectory
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import MjcfError

pytestmark = pytest.mark.slow

MODEL = """
<mujoco>
  <asset><skin file="s.skn"/></asset>
  <worldbody><body name="a"/><body name="b"/></worldbody>
</mujoco>
"""
SKIN = pack('<4i9f3i', 3, 0, 1, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2) + b''.join(
    name.ljust(40, b'\0') + pack('<7f4i3f', 0, 0, 0, 1, 0, 0, 0, 3, 0, 1, 2, 1, 1, 1)
    for name in (b'a', b'b')
)
changes = st.dictionaries(st.integers(0, 999), st.integers(0, 255), max_size=4)


def zipped(method: int) -> bytes:
    content = BytesIO()
    with ZipFile(content, 'w', method) as archive:
        archive.writestr('m/model.xml', MODEL)
        archive.writestr('m/s.skn', SKIN)
    return content.getvalue()


def damaged(content: bytes, changes: dict[int, int], stop: int | None = None) -> bytes:
    changed = bytearray(content)
    for place, byte in changes.items():
        changed[place % len(content)] = byte
    return bytes(changed[:stop])


@pytest.mark.parametrize('method', [ZIP_STORED, ZIP_DEFLATED, ZIP_BZIP2, ZIP_LZMA])
@pytest.mark.filterwarnings('ignore:Duplicate name')
def test_a_damaged_zip_is_read_or_refused_with_an_error_of_mjcf(method):
    content, read = zipped(method), set()

    @given(changes, st.none() | st.integers(0, len(content)))
    def each(changes, stop):
        with TemporaryDirectory() as folder:
            path = Path(folder) / 'model.zip'
            path.write_bytes(damaged(content, changes, stop))
            try:
                read.add(mjcf.from_zip(path).find('body', 'a') is not None)
            except MjcfError:
                read.add(None)

    each()
    assert None in read
    assert (True in read) is (method in (ZIP_STORED, ZIP_DEFLATED))


@given(changes)
def test_a_damaged_skin_is_written_as_far_as_it_is_a_skin(changes):
    content = damaged(SKIN, changes)
    model = mjcf.from_xml_string(MODEL, assets={'s.skn': content})
    model.find('body', 'a').name = 'c'
    (written,) = model.get_assets().values()
    assert len(written) == len(content)
