"""What is done with recordings: repeating them, going on from them, films."""

from .film import FilmOptions, render_film
from .plugin_verification import verify_with_plugins
from .recorded_session import continued
from .row_steps import Comparison
from .verification import verify

__all__ = [
    'Comparison',
    'FilmOptions',
    'continued',
    'render_film',
    'verify',
    'verify_with_plugins',
]
