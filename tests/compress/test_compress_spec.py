"""`--compress`: what it says, and what it refuses."""

import pytest

from longbench_eval.compress.spec import RetrievalSpec, SummarizeSpec, parse_spec
from longbench_eval.errors import UsageError

GOOD = [
    ("retrieval:bm25", RetrievalSpec("bm25", "", 200, 7, "document")),
    ("retrieval:bm25,chunk=500", RetrievalSpec("bm25", "", 500, 3, "document")),
    ("retrieval:bm25, chunk=100, top=2 ,order=rank", RetrievalSpec("bm25", "", 100, 2, "rank")),
    ("retrieval:paper-bm25", RetrievalSpec("paper-bm25", "", 200, 7, "rank")),
    ("retrieval:embed:org/model", RetrievalSpec("embed", "org/model", 200, 7, "document")),
    ("retrieval:bm25,chunk=5000", RetrievalSpec("bm25", "", 5000, 1, "document")),
    (
        "retrieval:server:bge,url=http://127.0.0.1:9/v1,key_env=KEY",
        RetrievalSpec("server", "bge", 200, 7, "document", "http://127.0.0.1:9/v1", "KEY"),
    ),
    ("summarize:part=500,max_new=200", SummarizeSpec(500, 200)),
    ("summarize", SummarizeSpec(500, 200)),
    ("summarize:by=openai:gpt,part=50", SummarizeSpec(50, 200, "openai:gpt")),
]


@pytest.mark.parametrize(("text", "expected"), GOOD)
def test_what_is_read(text, expected):
    assert parse_spec(text) == expected


BAD = [
    ("retreival:bm25", "Did you mean 'retrieval'?"),
    ("", "There is no compression ''"),
    ("retrieval", "names no retriever"),
    ("retrieval:chunk=200", "names no retriever"),
    ("retrieval:bm52", "Did you mean 'bm25'?"),
    ("retrieval:embed", "write embed:MODEL"),
    ("retrieval:bm25:x", "write bm25 alone"),
    ("retrieval:bm25,chunks=3", "Did you mean 'chunk'?"),
    ("retrieval:bm25,top", "'top' has no value; write top=VALUE"),
    ("retrieval:bm25,top=", "'top=' has no value"),
    ("retrieval:bm25,top=0", "top is '0'; expected a whole number from 1"),
    ("retrieval:bm25,top=-1", "top is '-1'"),
    ("retrieval:bm25,top=1.5", "top is '1.5'"),
    ("retrieval:bm25,top=٣", "top is '٣'"),
    ("retrieval:bm25,top=9999999999999", "top is '9999999999999'"),
    ("retrieval:bm25,top=1,top=2", "gives top twice"),
    ("retrieval:bm25,order=docment", "Did you mean 'document'?"),
    ("retrieval:bm25,url=http://x", "There is no key of --compress 'url'"),
    ("summarize:500", "There is no key of --compress '500'"),
    ("summarize:part=x", "part is 'x'"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_what_is_refused(text, message):
    with pytest.raises(UsageError) as refusal:
        parse_spec(text)
    assert message in str(refusal.value)
