"""The counters of compiled code are logged when they grow."""

from types import SimpleNamespace

from mujoco_ros_py.builtin.controllers.drive.command_report import CommandReport, Count


def test_a_count_that_shrinks_is_no_news_and_what_is_counted_after_that_is(caplog):
    """A restored state may hold a lower count than the count that was logged last."""
    environment = SimpleNamespace(follow=lambda rate_hz, function: None)
    now = {'number': 0, 'sentence': ''}
    report = CommandReport(
        SimpleNamespace(name='arm', environment=environment),
        lambda: [
            Count(reason='1', place=0, number=now['number'], sentence=lambda: now['sentence'])
        ],
    )
    for number, sentence in ((3, 'came'), (1, 'restored'), (1, 'same'), (2, 'again')):
        now.update(number=number, sentence=sentence)
        report.look()
    assert caplog.messages == ['arm: came', 'arm: again']
