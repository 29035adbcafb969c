import json

import pytest
from fake_longbench import SHARED, encode, facts_of, make_rows, needs_shared, write, write_zip

from longbench_eval.dataset import load_templates
from longbench_eval.dataset.official import TEMPLATES_NAME, TEMPLATES_SHA256
from longbench_eval.errors import DataError, UsageError
from longbench_eval.tasks import TASKS, get_suite

LONGBENCH, DEMO = get_suite("longbench"), get_suite("demo")
TEXTS = {"qasper": "Read {context}\nAsk {input}\n", "lcc": "{context}next:", "trec": "{{literal}} {input}"}
RAW = json.dumps(TEXTS, indent=1).encode()
FACTS = facts_of({}, templates=RAW)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("LONGBENCH_EVAL_CACHE", str(tmp_path / "cache"))


def load(data=None, path=None, tasks=("qasper", "lcc"), **options):
    return load_templates(LONGBENCH, tasks, data, path, facts=FACTS, **options)


def test_a_named_file_is_read_and_proved(tmp_path):
    path = write(tmp_path / "mine.json", RAW)
    templates = load(path=path)
    assert (templates.texts, templates.official, templates.source) == (TEXTS, True, str(path))
    assert templates.sha256 == FACTS.templates_sha256
    write(path, RAW.replace(b"\n", b"\r\n"))
    assert load(path=path).official


def test_it_is_found_in_this_order(tmp_path):
    data = write(tmp_path / "LongBench" / "data" / "qasper.jsonl", encode(make_rows(1))).parent
    with pytest.raises(
        DataError, match=r"no template file dataset2prompt.json; looked in .*data pull.*--templates FILE"
    ):
        load(data)
    cached = write(tmp_path / "cache" / "longbench" / "config" / TEMPLATES_NAME, RAW)
    assert load(data).source == load().source == str(cached)
    near = write(tmp_path / "LongBench" / "config" / TEMPLATES_NAME, RAW)
    assert load(data).source == str(near)
    named = write(tmp_path / "named.json", RAW)
    assert load(data, named).source == str(named)


def test_it_is_found_in_a_zip(tmp_path):
    path = write_zip(tmp_path / "x.zip", {"a/data/lcc.jsonl": b"", f"a/config/{TEMPLATES_NAME}": RAW})
    assert load(path).source == f"{path}:a/config/{TEMPLATES_NAME}"


def test_another_hash_needs_the_option(tmp_path):
    path = write(tmp_path / "mine.json", RAW + b" ")
    with pytest.raises(DataError, match=f"SHA-256 is [0-9a-f]{{64}}, expected {FACTS.templates_sha256}") as error:
        load(path=path)
    assert "--allow-unofficial" in str(error.value)
    templates = load(path=path, allow_unofficial=True)
    assert not templates.official
    assert templates.sha256 != FACTS.templates_sha256


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(DataError, match=r"nowhere.json cannot be read \(No such file or directory\)"):
        load(path=tmp_path / "nowhere.json")


BROKEN = [
    (b"{", "is no JSON"),
    (b"\xff", "is no JSON"),
    (b"[1]", "holds a list; expected a JSON object"),
    (b'{"qasper": null}', "the template of qasper is null; expected text"),
    (b'{"trec": "{input}"}', "has no template for qasper, lcc"),
]
BAD_TEMPLATES = [
    ("{contxt}", r"the template of qasper has the field {contxt}; expected only {context} and {input}"),
    ("{}", r"has the field {};"),
    ("{0}", r"has the field \{0};"),
    ("{length}", r"has the field {length};"),
    ("{context.__class__}", r"has the field {context.__class__};"),
    ("{context[0]}", r"has the field {context\[0\]};"),
    ("{context!r}", r"has the field {context!r};"),
    ("{input:>1000}", r"has the field {input:>1000};"),
    ("{input:{context}}", r"has the field {input:{context}};"),
    ("{ context }", r"has the field { context };"),
    ("{context", r"cannot be read \(expected '}' before end of string\)"),
    ("a } b", r"cannot be read \(Single '}' encountered"),
    ("\ud800", r"the template of qasper holds the lone surrogate U\+D800"),
]
BROKEN += [(json.dumps(TEXTS | {"qasper": text}).encode(), message) for text, message in BAD_TEMPLATES]


@pytest.mark.parametrize(("raw", "message"), BROKEN)
def test_a_broken_file_names_task_and_field(raw, message, tmp_path):
    path = write(tmp_path / "mine.json", raw)
    with pytest.raises(DataError, match=message) as error:
        load(path=path, allow_unofficial=True)
    assert str(path) in str(error.value)


def test_templates_of_other_tasks_may_be_anything(tmp_path):
    path = write(tmp_path / "mine.json", json.dumps(TEXTS | {"other": "{x}"}).encode())
    assert load(path=path, allow_unofficial=True).texts["other"] == "{x}"


def test_the_demo_suite_brings_its_own(tmp_path):
    templates = load_templates(DEMO, DEMO.tasks)
    assert (templates.official, templates.source) == (False, "demo")
    assert set(TASKS) <= set(templates.texts)
    with pytest.raises(UsageError, match="leave out --data"):
        load_templates(DEMO, DEMO.tasks, tmp_path)
    named = write(tmp_path / "mine.json", json.dumps(dict.fromkeys(TASKS, "{input}")).encode())
    assert load_templates(DEMO, DEMO.tasks, path=named, allow_unofficial=True).source == str(named)


@needs_shared
@pytest.mark.parametrize("folder", [".", "data", "samples"])
def test_the_official_file_is_official(folder):
    templates = load_templates(LONGBENCH, LONGBENCH.tasks, SHARED / folder)
    assert templates.official
    assert templates.sha256 == TEMPLATES_SHA256
    assert set(templates.texts) == set(TASKS)
