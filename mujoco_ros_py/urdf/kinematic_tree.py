"""Arranges the links of a robot in a tree."""

from __future__ import annotations

from functools import cached_property

from ..mjcf.write.writer import DEEPEST
from .robot import FIXED, Joint, Robot

_MOST = 10
_DEEPEST = DEEPEST - 5
"""The maximum number of joints in a chain, with a margin for elements around and inside links."""


class KinematicTree:
    """The links of a robot as a tree. Raises UrdfError if the links do not form a tree."""

    def __init__(self, robot: Robot) -> None:
        self.above: dict[str, Joint] = {}
        """Maps each link to the joint that connects it to its parent."""
        self.below: dict[str, list[Joint]] = {name: [] for name in robot.links}
        """Maps each link to the joints that connect it to its children."""
        for joint in robot.joints.values():
            other = self.above.setdefault(joint.child, joint)
            if other is not joint:
                raise joint.tag.error(
                    f'link {joint.child!r} can be the child of only one joint, but is already'
                    f' the child of joint {other.name!r} on line {other.tag.line}'
                )
            self.below[joint.parent].append(joint)
        self._robot = robot
        self.root = self._root()
        self._check_depth()

    def _root(self) -> str:
        roots = [name for name in self._robot.links if name not in self.above]
        if len(roots) == 1:
            reached = {roots[0], *(link for link, _ in self._walk(roots[0]))}
            lost = [name for name in self._robot.links if name not in reached]
            if not lost:
                return roots[0]
            raise self.above[lost[0]].tag.error(
                f'the joints form a loop: {" -> ".join(self._circle(lost[0]))}'
            )
        tag = self._robot.tag
        if not roots:
            circle = ' -> '.join(self._circle(next(iter(self._robot.links))))
            raise tag.error(f'no link can be the root, because the joints form a loop: {circle}')
        second = self._robot.links[roots[1]].tag
        shown = ', '.join(roots[:_MOST])
        raise second.error(f'only one link can be the root, but several have no parent: {shown}')

    def _check_depth(self) -> None:
        depth = {self.root: 0}
        for link, joint in self._walk(self.root):
            depth[link] = depth[joint.parent] + 1
            if depth[link] > _DEEPEST:
                raise joint.tag.error(
                    f'more than {_DEEPEST} joints in a chain, which MuJoCo rejects'
                )

    def _circle(self, link: str) -> list[str]:
        """Returns the links of the loop reached by walking up from a link."""
        passed = [link]
        while (above := self.above[passed[-1]].parent) not in passed:
            passed.append(above)
        return [*reversed(passed[passed.index(above) :]), passed[-1]]

    def _walk(self, link: str) -> list[tuple[str, Joint]]:
        found, waiting = [], [link]
        while waiting:
            joints = self.below[waiting.pop()]
            found += [(joint.child, joint) for joint in joints]
            waiting += [joint.child for joint in joints]
        return found

    @cached_property
    def welded(self) -> dict[str, str]:
        """Maps each link to the topmost link among the links that are fixed to it."""
        top = {self.root: self.root}
        for link, joint in self._walk(self.root):
            top[link] = top[joint.parent] if joint.type == FIXED else link
        return top

    def groups(self) -> dict[str, list[str]]:
        """Returns the groups of links fixed to each other, keyed by their topmost link."""
        found: dict[str, list[str]] = {}
        for link in self._robot.links:
            found.setdefault(self.welded[link], []).append(link)
        return found
