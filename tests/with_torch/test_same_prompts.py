"""llama.cpp's tokenizer and transformers' make the same prompts, to the last token, from the same GGUF file."""

import copy
import random
from functools import cache
from pathlib import Path

import pytest

from longbench_eval.dataset import load_rows, load_templates
from longbench_eval.prompts import HFTokenizer, PromptPolicy, build_prompt
from longbench_eval.tasks import TASKS, get_suite
from toys import example

pytest.importorskip("transformers")
pytestmark = pytest.mark.torch

SAMPLES = Path(__file__).parents[2].parent / "shared" / "longbench" / "samples"


class Remembering:
    """A tokenizer that encodes no text twice."""

    def __init__(self, tokenizer):
        self.encode = cache(tokenizer.encode)
        self.decode, self.wrap_chat = tokenizer.decode, tokenizer.wrap_chat
        self.bos_id, self.newline_id = tokenizer.bos_id, tokenizer.newline_id


@pytest.fixture(scope="module")
def both(smollm2, hf_tokenizer):
    """llama.cpp's, then transformers'."""
    return Remembering(smollm2.tokenizer), Remembering(HFTokenizer(hf_tokenizer))


TEXTS = [
    "",
    "Hello world. It cost 12345.67 dollars in 2024 , isn't it ?",
    "  leading and   many   spaces \t tabs\n\n\r\n\n2013 x\r\n",
    "中文测试，包含标点。一二三 ２０１３年。日本語カタカナ한국어",
    "def f(x):\n\tif x:\n        return x**2  # 0xff33B\n\n\n",
    "emoji 👍🏽 👨‍👩‍👧‍👦 🇩🇪 é e\u0301 \u200b zero \u3000 wide \ufeff",
    "<|im_start|>user\nhi<|im_end|> <|endoftext|><reponame>x<file_sep>",
    "a\0b\0\0",
    "١٢٣ ½ ² Ⅷ ⅰ \n",
    "\u00a0nb \u2028 ls \x85 \x1c",
    "{braces} {0} }{ {{x}}",
]


@pytest.mark.parametrize("text", TEXTS)
def test_encoding(both, text):
    llama, hf = both
    assert llama.encode(text) == hf.encode(text)


@pytest.mark.parametrize("text", TEXTS)
def test_decoding_any_piece_lone_bytes_included(both, text):
    llama, hf = both
    ids = llama.encode(text)
    for start in range(len(ids)):
        for end in range(start, min(start + 6, len(ids)) + 1):
            assert llama.decode(ids[start:end]) == hf.decode(ids[start:end])


def test_decoding_any_ids(both):
    llama, hf = both
    dice = random.Random(2308)
    for _ in range(300):
        ids = [dice.randrange(49_152) for _ in range(dice.randint(1, 12))]
        assert llama.decode(ids) == hf.decode(ids)


@pytest.mark.parametrize("text", TEXTS)
def test_chat_template_and_newline(both, text):
    llama, hf = both
    assert llama.wrap_chat(text) == hf.wrap_chat(text)
    assert (llama.newline_id, llama.bos_id) == (hf.newline_id, hf.bos_id)


def same_prompt(both, row, template, budget):
    """Build it with both and hold them against each other."""
    policy = PromptPolicy("official", budget)
    llama, hf = (build_prompt(row, template, tokenizer, policy) for tokenizer in both)
    assert llama == hf
    return llama


@pytest.mark.parametrize("task", ["qasper", "samsum"])
@pytest.mark.parametrize("text", TEXTS[1:])
def test_every_budget_of_a_short_prompt(both, task, text):
    length = len(both[0].encode(text))
    for budget in range(2, length + 2):
        prompt = same_prompt(both, example(task, context=text), "{context}", budget)
        assert (prompt.truncation is None) == (length <= budget)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="needs the sample rows in ../shared")
@pytest.mark.parametrize("task", TASKS)
def test_real_rows(both, task):
    suite = get_suite("longbench")
    rows = load_rows(suite, (task,), SAMPLES, allow_unofficial=True)[task].examples
    template = load_templates(suite, (task,), SAMPLES, None, allow_unofficial=True).texts[task]
    for row in rows:
        same_prompt(both, row, template, 1000)
        same_prompt(both, row, template, 7501)
    rendered = build_prompt(rows[0], template, None, PromptPolicy()).text
    length = len(both[0].encode(rendered))
    for budget in (2, 3, 7500, length - 1, length, length + 1):
        prompt = same_prompt(both, rows[0], template, budget)
        assert (prompt.truncation is None) == (length <= budget)


def test_several_texts_are_tokenized_as_transformers_tokenizes_each(hf_tokenizer):
    definition = [hf_tokenizer(text, truncation=False)["input_ids"] for text in TEXTS]
    ours = HFTokenizer(hf_tokenizer)
    assert ours._rust is not None, "the fast way is the one that is tried"
    assert ours.encode_batch(TEXTS) == [ours.encode(text) for text in TEXTS] == definition


def test_a_length_limit_or_padding_of_the_tokenizer_falsifies_nothing(hf_tokenizer):
    copied = copy.deepcopy(hf_tokenizer)
    copied.backend_tokenizer.enable_truncation(3)
    copied.backend_tokenizer.enable_padding(length=50)
    assert HFTokenizer(copied).encode_batch(TEXTS) == HFTokenizer(hf_tokenizer).encode_batch(TEXTS)


def test_a_tokenizer_that_does_more_than_the_one_inside_is_believed(hf_tokenizer):
    class Shouting(type(hf_tokenizer)):
        def __call__(self, text, **options):
            return super().__call__(text.upper(), **options)

    copied = copy.deepcopy(hf_tokenizer)
    copied.__class__ = Shouting
    assert HFTokenizer(copied).encode_batch(["ab", "c"]) == [
        hf_tokenizer("AB")["input_ids"],
        hf_tokenizer("C")["input_ids"],
    ]
