from __future__ import annotations

from types import SimpleNamespace

from mujoco_ros_py.simulation import left_out_messages
from mujoco_ros_py.simulation.left_out_messages import LeftOutMessages


def test_each_line_counts_the_messages_since_the_line_before(monkeypatch, caplog):
    monkeypatch.setattr(left_out_messages, '_PERIOD_S', 0.0)
    feed, said = SimpleNamespace(name='the feed', left_out=0), LeftOutMessages()
    for count in (0, 3, 3, 8):
        feed.left_out = count
        said.look(feed)
    lines = [record.message.partition(' messages')[0] for record in caplog.records]
    assert lines == [f'the feed cannot keep up: {count}' for count in (3, 5)]
