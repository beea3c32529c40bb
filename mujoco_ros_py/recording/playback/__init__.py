"""Uses of recordings: verifying, continuing, showing and filming them."""

from .film import FilmOptions, render_film
from .plugin_structs import plugin_text
from .plugin_verification import verify_with_plugins
from .recorded_models import recorded_model
from .recorded_moment import RecordedMoment, moment_at
from .recorded_session import continued
from .row_steps import Comparison
from .verification import verify

__all__ = [
    'Comparison',
    'FilmOptions',
    'RecordedMoment',
    'continued',
    'moment_at',
    'plugin_text',
    'recorded_model',
    'render_film',
    'verify',
    'verify_with_plugins',
]
