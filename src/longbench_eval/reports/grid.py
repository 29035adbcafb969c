"""A table before it has a form, and the forms to paste: Markdown, LaTeX, CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_LATEX |= {char: f"\\{char}" for char in "&%$#_{}"} | {"<": "$<$", ">": "$>$", "|": "\\textbar{}"}


@dataclass(frozen=True, slots=True)
class Text:
    """One cell; `marks` are stars that follow it."""

    text: str
    bold: bool = False
    marks: str = ""
    style: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """Heads, rows in sections, and the lines of the caption.

    `caption` is prose; `signatures` are pairs of a name and a signature.
    """

    heads: Sequence[str]
    sections: Sequence[Sequence[Sequence[Text]]]
    caption: Sequence[str]
    signatures: Sequence[tuple[str, str]]


def to_markdown(grid: Grid) -> str:
    """As Markdown; the caption follows the table as a list."""
    lines = [_line(map(markdown_text, grid.heads)), "| --- |" + " ---: |" * (len(grid.heads) - 1)]
    lines += [_line(map(_markdown_cell, row)) for section in grid.sections for row in section]
    lines += ["", *(f"- {markdown_text(line)}" for line in grid.caption)]
    lines += [f"- {markdown_text(name)}: `{signature}`" for name, signature in grid.signatures]
    return "\n".join(lines) + "\n"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def markdown_text(text: str) -> str:
    """Text that Markdown, and HTML within it, takes as nothing but text."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", " ".join(text.split()))


def _markdown_cell(cell: Text) -> str:
    text = markdown_text(cell.text)
    return (f"**{text}**" if cell.bold and text else text) + markdown_text(cell.marks)


def to_latex(grid: Grid) -> str:
    """As a LaTeX table that needs `booktabs`."""
    caption = " ".join(f"{latex_text(line[:1].upper() + line[1:])}." for line in grid.caption)
    signatures = " ".join(f"{latex_text(name)}: \\texttt{{{_breakable(sign)}}}." for name, sign in grid.signatures)
    rows = ["".join(_latex_row(row) for row in section) for section in grid.sections if section]
    return (
        "% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\n"
        f"\\caption{{{caption} {signatures}}}\n"
        f"\\begin{{tabular}}{{l{'r' * (len(grid.heads) - 1)}}}\n\\toprule\n"
        f"{' & '.join(map(latex_text, grid.heads))} \\\\\n\\midrule\n"
        + "\\midrule\n".join(rows)
        + "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
    )


def latex_text(text: str) -> str:
    """Text that LaTeX takes as nothing but text."""
    # Two hyphens, as in options, would become a dash.
    return "".join(_LATEX.get(char, char) for char in " ".join(text.split())).replace("--", "-{}-")


def _breakable(signature: str) -> str:
    # A signature is one long word; it may be broken after its bars.
    return latex_text(signature).replace("\\textbar{}", "\\textbar\\allowbreak{}")


def _latex_row(row: Sequence[Text]) -> str:
    return " & ".join(map(_latex_cell, row)) + " \\\\\n"


def _latex_cell(cell: Text) -> str:
    # A minus, not a hyphen; a bracket after a row's end would be read as an option of it.
    numeric = re.fullmatch(r"[+\-\d.,<\[\] ]+", cell.text)
    text = f"${cell.text}$" if numeric and re.search(r"[+\-<\[]", cell.text) else latex_text(cell.text)
    bold = f"\\textbf{{{text}}}" if cell.bold and text else text
    return bold + (f"$^{{{cell.marks}}}$" if cell.marks else "")


def to_csv(heads: Sequence[str], rows: Sequence[Sequence[str | int | float | None]]) -> str:
    """As comma-separated values; text that a spreadsheet would take for a formula is quoted by an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heads)
    for row in rows:
        writer.writerow([f"'{cell}" if isinstance(cell, str) and cell[:1] in set("=+-@\t\r") else cell for cell in row])
    return out.getvalue()
