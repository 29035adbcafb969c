"""How instructions point to the documents they come with, in English and Chinese.

Two kinds of places: a phrase that can be cut out of its sentence (`based on the above text`), and a mention that stays
after that, which makes the whole sentence one about the documents.
"""

from __future__ import annotations

import re

_NOUN = (
    r"(?:stor(?:y|ies)|novels?|scripts?|articles?|texts?|passages?|documents?|contexts?|paragraphs?|reports?"
    r"|transcripts?|excerpts?|sources?|materials?|contents?|news|books?|papers?|pages?|search\s+results|examples?)"
)
_POINTER = r"(?:the|this|these|those|that|any|each|several|some|all|an?|your|following|above|given|provided|below|\d+)"
# Up to three words between, none of which leads into another phrase: `the above meeting transcript`.
_BETWEEN = r"(?:(?!(?:with|of|in|from|for|to|and|or|no|on|by|as|is|are)\b)[\w'-]+\s+){0,3}?"
_PIECES = r"(?:(?:pieces?|parts?|sections?|list|set|collection)\s+of\s+)?"
_DOCUMENT = rf"\b{_POINTER}\s+{_BETWEEN}{_PIECES}{_NOUN}\b"
_LEAD = (
    r"(?:based\s+(?:only\s+|solely\s+)?(?:up)?on|according\s+to|in\s+(?:the\s+)?light\s+of|referring\s+to|using(?:\s+only)?"
    r"|with\s+(?:the\s+)?help\s+of|from|within|in)"
)
_INSIDE = r"(?:(?:only\s+)?the\s+information\s+(?:given\s+|provided\s+)?(?:in|of|from)\s+)?"
_BEHIND = r"(?:\s+(?:above|below|provided|given|only|alone)\b)*"
_PHRASE = rf"\b{_LEAD}\s+{_INSIDE}{_DOCUMENT}{_BEHIND}"

_NOUN_ZH = (
    "(?:文章|文字|文本|文档|文件|段落|材料|资料|内容|上下文|原文|课文|故事|小说|剧本|论文|报告|会议记录"
    "|搜索结果|例子|示例)"
)
_POINTER_ZH = "[以下上面述前给定提供所的这该些篇段本列出几若干]{0,8}"
_LEAD_ZH = "(?:基于|根据|依据|依照|按照|结合|综合|参考|参照|利用|通过|从|在)"
_PHRASE_ZH = f"{_LEAD_ZH}{_POINTER_ZH}{_NOUN_ZH}(?:中|里|内|的内容|的信息|内容|信息)?，?"

_CUTS = (
    (re.compile(rf"^(\W*)(?:{_PHRASE}\s*,?|use\s+(?:only\s+)?{_DOCUMENT}{_BEHIND}\s+to)\s*", re.IGNORECASE), r"\1"),
    (re.compile(rf",?\s*{_PHRASE}(?=\s*,)|\s*{_PHRASE}", re.IGNORECASE), ""),
    (re.compile(_PHRASE_ZH), ""),
)
_MENTION = re.compile(f"{_DOCUMENT}|{_NOUN_ZH}", re.IGNORECASE)
_CONDITION = re.compile(r"^\W*(?:if|when|unless|should|in\s+case)\b|^\W*(?:如果|若|假如|当)", re.IGNORECASE)

_VERB = (
    r"(?:answer|give|write|reply|respond|provide|tell|state|summari[sz]e|complete|determine|identify|find|choose|select"
    r"|classify|translate|explain|describe|list|name|enter|predict|continue|output|return|decide)"
)
_BEFORE_VERB = (
    r"(?:(?:now|then|please|kindly|briefly|you\s+(?:should|must|need\s+to|are\s+to)|your\s+task\s+is\s+to)\b,?\s*)*"
)
_VERB_ZH = "(?:回答|作答|回复|答复|写|判断|总结|概括|选出|选择|找出|给出|说明|解释|确定|告诉|输出|输入|完成|补全)"
# `Answer:` and `回答：` are labels, not instructions.
_INSTRUCTION = re.compile(rf"^\W*{_BEFORE_VERB}{_VERB}\b(?!\s*:)|{_VERB_ZH}(?!\s*[:：])", re.IGNORECASE)


def mentions_documents(sentence: str) -> bool:
    """Whether it speaks of documents."""
    return _MENTION.search(sentence) is not None


def is_condition_on_documents(sentence: str) -> bool:
    """Whether it says what to do if the documents are so or so; without any it would always hold."""
    return _CONDITION.match(sentence) is not None and mentions_documents(sentence)


def is_instruction(sentence: str) -> bool:
    """Whether it tells what to do."""
    return _INSTRUCTION.search(sentence) is not None


def cut_phrases(sentence: str) -> str:
    """Cut out what only says where to look."""
    for pattern, kept in _CUTS:
        shorter = pattern.sub(kept, sentence)
        if shorter != sentence and kept:
            shorter = capitalized(shorter)
        sentence = shorter
    return sentence


def capitalized(text: str) -> str:
    """The same with its first letter in upper case."""
    at = next((i for i, char in enumerate(text) if char.isalpha()), len(text))
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]
