"""The public API changes only on purpose."""

import textwrap

import public_api


def test_no_public_name_or_parameter_changes_unnoticed():
    listed = public_api.LIST.read_text().splitlines()
    found = public_api.public_names(public_api.ROOT, public_api.public_modules())
    changes = [f'- {line}' for line in listed if line not in found]
    changes += [f'+ {line}' for line in found if line not in listed]
    told = [
        'The public API has changed. `python test/public_api.py` renews the list; first read in',
        'docs/development/public-api.md, how a name or a parameter is removed:',
        *changes,
    ]
    assert found == listed, '\n'.join(told)


def test_a_class_lists_what_it_inherits_from_internal_classes(tmp_path):
    files = {
        'robot/__init__.py': """
            from .arms import Arm as Limb, Reach
            __all__ = ['Limb', 'Reach', 'move']
            try:
                from missing import move
            except ImportError:
                move = None
            """,
        'robot/arms.py': """
            from enum import Enum
            from typing import TYPE_CHECKING

            from .joints import Jointed
            if TYPE_CHECKING:
                _Base = object
            else:
                _Base = Jointed

            class Arm(_Base):
                length: float = 1.0
                def _hidden(self): ...
                def reach(self, point: str, *, speed=0.5): ...

            class Reach(Enum):
                NEAR = 1
            """,
        'robot/joints.py': """
            class Jointed:
                def __init__(self, count): self.count, self._count = count, count
                def reach(self): ...
                @property
                def angles(self): ...
            """,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(textwrap.dedent(text))
    assert public_api.public_names(tmp_path, ['robot']) == [
        'class Limb()',
        'Limb.__init__(self, count)',
        'Limb.angles',
        'Limb.count',
        'Limb.length',
        'Limb.reach(self, point, *, speed=0.5)',
        'class Reach(Enum)',
        'Reach.NEAR',
        'move',
    ]
