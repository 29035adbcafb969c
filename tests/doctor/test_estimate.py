"""What the suite takes: tokens, time, money."""

import pytest
from toy_server import Toy

from longbench_eval.doctor import read_price
from longbench_eval.doctor.asked import TaskSize, look_at_rows, sizes
from longbench_eval.doctor.estimate import Price, make_estimate, tell
from longbench_eval.doctor.speeds import Speeds
from longbench_eval.errors import UsageError
from longbench_eval.prompts import Budget, build_prompt
from longbench_eval.runs.plan import make_policy
from longbench_eval.runs.settings import RunSettings
from samples import write_sample_data
from toys import ScriptedModel, ToyTokenizer

SIZES = {"qasper": TaskSize(10, 40_000, 5_000, 128), "trec": TaskSize(5, 10_000, 3_000, 64)}
CAPS = 10 * 128 + 5 * 64


def test_everything_is_added_up():
    estimate = make_estimate(SIZES, Speeds(100, 10), Price(2.0, 8.0), counted=True, concurrency=4)
    assert (estimate.rows, estimate.prompt_tokens) == (15, 50_000)
    assert (estimate.likely_new_tokens, estimate.most_new_tokens) == (CAPS // 2, CAPS)
    assert estimate.low_s == pytest.approx((500 + CAPS / 2 / 10) / 4)
    assert estimate.high_s == pytest.approx(500 + CAPS / 10)
    assert estimate.low_usd == pytest.approx(0.1 + CAPS / 2 * 8e-6)
    assert estimate.high_usd == pytest.approx(0.1 + CAPS * 8e-6)


def test_what_is_told():
    estimate = make_estimate(SIZES, Speeds(100, 10), Price(200.0, 0.0), counted=True, concurrency=4)
    told = {finding.check: finding.message for finding in tell(estimate)}
    assert told["time"] == "between 2 min and 11 min with 4 requests at once"
    assert told["cost"].startswith("between $10.00 and $10.00")
    assert told["size"].startswith("15 rows: 50,000 prompt tokens (by tokenizing some rows of each task)")


def test_without_a_speed_or_a_price_neither_is_told():
    findings = {f.check: f.level for f in tell(make_estimate(SIZES, None, None, counted=False, concurrency=1))}
    assert findings == {"size": "ok", "time": "notice"}


PRICES = [("0.15,0.6", (0.15, 0.6)), ("0,0", (0, 0)), (" 1 , 2 ", (1, 2))]


@pytest.mark.parametrize(("text", "price"), PRICES)
def test_prices(text, price):
    assert read_price(text) == price


@pytest.mark.parametrize("text", ["", "1", "1,2,3", "a,b", "-1,2", "nan,1", "1,inf"])
def test_what_is_no_price(text):
    with pytest.raises(UsageError, match="IN,OUT"):
        read_price(text)


class Wrapping(ScriptedModel):
    """A toy that can be measured, and answers nothing."""

    window = capacity = 4096

    def __init__(self):
        super().__init__([], ToyTokenizer(adds_bos=True))


def test_few_rows_are_counted_exactly(tmp_path):
    """Each prompt as the run will send it: cut to M, and wrapped where the protocol says so."""
    data = write_sample_data(tmp_path / "data", n=1)
    settings = RunSettings(tasks=("qasper", "samsum"), data=data, allow_unofficial=True)
    model, asked = Wrapping(), look_at_rows(settings)
    for tokens in (3500, 40):
        budget = Budget(tokens)
        policy = make_policy(settings, budget, model)
        found = sizes(settings, asked, model, budget)
        for task, [example] in asked.inputs.examples.items():
            prompt = build_prompt(example, asked.inputs.templates.texts[task], model.tokenizer, policy)
            # A byte of a character that was cut in two comes back as three; M is what is reckoned with.
            assert prompt.tokens - 6 <= found[task].prompt_tokens <= prompt.tokens + 1
            assert found[task].longest == int(found[task].prompt_tokens)


def test_many_rows_are_reckoned_from_some(tmp_path):
    data = write_sample_data(tmp_path / "data", n=40)
    settings = RunSettings(tasks=("qasper",), data=data, allow_unofficial=True)
    model, asked = Wrapping(), look_at_rows(settings)
    policy, budget = make_policy(settings, Budget(3500), model), Budget(3500)
    template = asked.inputs.templates.texts["qasper"]
    true = sum(build_prompt(e, template, model.tokenizer, policy).tokens for e in asked.inputs.examples["qasper"])
    assert sizes(settings, asked, model, budget)["qasper"].prompt_tokens == pytest.approx(true, rel=0.02)


def test_without_rows_the_published_sizes_serve(monkeypatch, tmp_path):
    model = Wrapping()
    for suite, rows in (("longbench", 4750), ("longbench-e", 3668), ("minilongbench", 237)):
        settings = RunSettings(suite=suite)
        asked = look_at_rows(settings)
        assert asked.missing is not None
        found = sizes(settings, asked, model, Budget(31500))
        assert sum(size.rows for size in found.values()) == rows
    limited = RunSettings(limit=3)
    assert {size.rows for size in sizes(limited, look_at_rows(limited), model, Budget(3500)).values()} == {3}
    assert all(s.longest <= 3502 for s in sizes(limited, look_at_rows(limited), model, Budget(3500)).values())


def test_a_price_is_in_the_report(patient):
    report = patient(Toy(), price=Price(1.0, 2.0))
    assert report.estimate.low_usd < report.estimate.high_usd
    assert [finding.check for finding in report.findings][-3:] == ["size", "time", "cost"]
    assert report.estimate.counted is False


@pytest.mark.parametrize(("slots", "concurrency", "at_once"), [(1, 8, 1), (4, 2, 2)])
def test_a_server_with_few_slots_does_no_more_at_once(patient, slots, concurrency, at_once):
    toy = Toy(kind="llamacpp", slots=slots)
    assert patient(toy, server={"concurrency": concurrency}).estimate.concurrency == at_once
