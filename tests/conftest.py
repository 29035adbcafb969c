"""What tests of several packages share: the embedded model, loaded once."""

from contextlib import closing

import pytest

from longbench_eval.models import ModelOptions, open_model


@pytest.fixture(scope="session")
def smollm2():
    """SmolLM2 with a small context; its file is fetched when it is not in the cache yet."""
    with closing(open_model("smollm2", ModelOptions(max_input_tokens=700, max_new_tokens=64))) as model:
        yield model
