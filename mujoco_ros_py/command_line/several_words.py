"""Commands with options that take several words."""

from __future__ import annotations

import click


class SeveralWords(click.Command):
    """A command whose multiple options take several words each, up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeats such an option before each of its words."""
        multiple = {
            name
            for each in self.params
            if isinstance(each, click.Option) and each.multiple
            for name in each.opts
        }
        spread: list[str] = []
        option = ''
        for word in args:
            if word.startswith('-'):
                option = word if word in multiple else ''
            elif option and spread[-1] != option:
                spread.append(option)
            spread.append(word)
        return super().parse_args(ctx, spread)
