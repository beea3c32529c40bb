"""The functions called when a plugin, or another owner of callbacks, is closed and ends."""

from __future__ import annotations

from mujoco_ros_py.simulation import Owner


def test_functions_are_called_at_the_close_and_at_once_after_it():
    owner = Owner.of_no_plugin('the test')
    called: list[str] = []
    owner.on_close(lambda: called.append('before'))
    assert called == []
    owner.close()
    assert called == ['before']
    owner.on_close(lambda: called.append('after'))
    assert called == ['before', 'after']
