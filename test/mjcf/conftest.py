"""Makes property tests try few examples, or many with --hypothesis-profile=long."""

from hypothesis import HealthCheck, settings

COMMON = {
    'deadline': None,
    'database': None,
    'suppress_health_check': [HealthCheck.too_slow, HealthCheck.data_too_large],
}
settings.register_profile('few', derandomize=True, max_examples=500, **COMMON)
settings.register_profile('long', max_examples=20_000, **COMMON)
settings.load_profile('few')
