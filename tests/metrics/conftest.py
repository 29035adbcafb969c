"""How many examples the property tests try: 200, or 10,000 with HYPOTHESIS_PROFILE=nightly."""

import os

from hypothesis import settings

# No deadline: the first example of a test may load a dictionary, and other work may share the machine.
settings.register_profile("quick", max_examples=200, deadline=None)
settings.register_profile("nightly", max_examples=10_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
