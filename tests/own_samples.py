"""Tasks of one's own: TOML files with their rows, to be changed by tests."""

import json
from pathlib import Path

FIELDS = {
    "name": '"leases"',
    "template": '"Lease: {context}\\nAsk: {input}\\nSay:"',
    "data": '"leases.jsonl"',
    "metric": '"qa_f1"',
    "max_new_tokens": "16",
}
ROWS = [
    {"input": "Who heats?", "context": "The owner heats. Rent is due in May.", "answers": ["the owner"]},
    {"input": "When is rent due?", "context": "The owner heats. Rent is due in May.", "answers": ["in May", "May"]},
    {"input": "Who cleans?", "context": "The guest cleans.", "answers": ["the guest"]},
]
LABELLED = [
    {"input": f"letter {i}", "context": "Sort it.", "answers": ["bill"], "all_classes": classes}
    for i, classes in enumerate((["bill", "advert"], ["bill", "bill of sale"], ["advert", "bill"]))
]


def write_task(folder: Path, rows: list[dict] | None = None, **changes: str | None) -> Path:
    """Write a TOML file and its rows; a change is a field's value as TOML has it, or None to leave the field out."""
    fields = {**FIELDS, **changes}
    name = (fields["name"] or "x").strip('"')
    path = folder / f"{name}.toml"
    path.write_text("".join(f"{key} = {value}\n" for key, value in fields.items() if value is not None), "utf-8")
    lines = "".join(json.dumps(row) + "\n" for row in (ROWS if rows is None else rows))
    (folder / "leases.jsonl").write_text(lines, "utf-8")
    return path


def write_sorting(folder: Path) -> Path:
    """A second task: classification, each row with classes of its own."""
    path = folder / "letters.toml"
    path.write_text(
        'name = "letters"\ntemplate = "{context} {input} Kind:"\ndata = "letters.jsonl"\nmetric = "classification"\n'
        'max_new_tokens = 4\nchat = false\nfirst_line = true\nnewline_stop = true\ncategory = "sorting mail"\n',
        "utf-8",
    )
    (folder / "letters.jsonl").write_text("".join(json.dumps(row) + "\n" for row in LABELLED), "utf-8")
    return path
