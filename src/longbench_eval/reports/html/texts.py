"""Texts of any content as HTML that shows them: nothing is run, and nothing stays unseen."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markupsafe import Markup, escape

SHOWN = 900
"""Characters that are shown before the rest is folded."""
KEPT = 12_000
"""Characters of a text that the report holds at all."""

_CODES = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS"
)
_CONTROLS = (*_CODES.split(), "US")
_NAMED = {"\x7f": "DEL", "\u200b": "ZWSP", "\u200e": "LRM", "\u200f": "RLM", "\u061c": "ALM", "\ufeff": "BOM"}
_NAMED |= dict(zip("\u202a\u202b\u202c\u202d\u202e", ("LRE", "RLE", "PDF", "LRO", "RLO"), strict=True))
_NAMED |= dict(zip("\u2066\u2067\u2068\u2069", ("LRI", "RLI", "FSI", "PDI"), strict=True))
_NAMED |= {"\u2028": "LS", "\u2029": "PS"}
_UNSEEN = re.compile(
    r"\n{4,}|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def visible(text: object) -> Markup:
    """Escape a text; control characters, direction marks and broken ones become small names."""
    found, at, whole = [], 0, str(text)
    for match in _UNSEEN.finditer(whole):
        found += [escape(whole[at : match.start()]), Markup('<span class="unseen">{}</span>').format(_name(match[0]))]
        at = match.end()
    return Markup("").join([*found, escape(whole[at:])])


def _name(char: str) -> str:
    if len(char) > 1:
        return f"↵ × {len(char)}"
    code = ord(char)
    return _NAMED.get(char) or (_CONTROLS[code] if code < 32 else f"U+{code:04X}")


def marked(pieces: Sequence[Sequence[str]]) -> Markup:
    """Pieces `[text, kind]` of a text: what counts is marked, what was not compared is soft."""
    return Markup("").join(_piece(text, kind) for text, kind in pieces)


def _piece(text: str, kind: str) -> Markup:
    if kind in ("hit", "miss"):
        return Markup('<mark class="{}">{}</mark>').format(kind, visible(text))
    return Markup('<span class="out">{}</span>').format(visible(text)) if kind == "out" else visible(text)


def split_pieces(pieces: Sequence[Sequence[str]], at: int) -> tuple[list[list[str]], list[list[str]]]:
    """Pieces before and after a position."""
    head: list[list[str]] = []
    tail: list[list[str]] = []
    for text, kind in pieces:
        room = max(at, 0)
        if text[:room]:
            head.append([text[:room], kind])
        if text[room:]:
            tail.append([text[room:], kind])
        at -= len(text)
    return head, tail


def fold(pieces: Sequence[Sequence[str]], total: int) -> dict[str, object]:
    """A long text as its beginning, the rest that can be unfolded, and how much is not in the report at all."""
    kept, _ = split_pieces(pieces, KEPT)
    head, tail = split_pieces(kept, SHOWN)
    # A few words more are not worth a click.
    if sum(len(text) for text, _ in tail) < SHOWN // 3:
        head, tail = kept, []
    held = sum(len(text) for text, _ in kept)
    return {"head": marked(head), "tail": marked(tail), "more": held - SHOWN, "left_out": max(0, total - held)}


def clean(page: str) -> str:
    """A page that every parser takes as it is: no control characters, no halves of surrogate pairs."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", "\ufffd", page)
