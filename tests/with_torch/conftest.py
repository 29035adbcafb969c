"""SmolLM2 once more, as transformers reads the same GGUF file."""

import pytest

from longbench_eval.models.fetch import fetch_model


@pytest.fixture(scope="session")
def hf_tokenizer():
    """The tokenizer, with the splitting of digits that the file asks for (`tokenizer.ggml.pre` is `smollm`).

    transformers 5.24 does not read that field and takes GPT-2's rule, under which "\\n\\n2013" begins otherwise; the
    model's own tokenizer.json splits as here.
    """
    transformers = pytest.importorskip("transformers")
    from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence

    file = fetch_model("smollm2")
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(file.parent), gguf_file=file.name)
    rules = [Digits(individual_digits=True), ByteLevel(add_prefix_space=False)]
    tokenizer.backend_tokenizer.pre_tokenizer = Sequence(rules)
    return tokenizer


@pytest.fixture(scope="session")
def hf_model():
    """The weights, dequantized to float32."""
    torch = pytest.importorskip("torch")
    load = pytest.importorskip("transformers").AutoModelForCausalLM.from_pretrained
    file = fetch_model("smollm2")
    return load(str(file.parent), gguf_file=file.name, dtype=torch.float32).eval()
