"""Is it the model that was meant?"""

from __future__ import annotations

from collections.abc import Iterator

from longbench_eval.doctor.finding import Finding, notice, ok
from longbench_eval.doctor.known import Known
from longbench_eval.doctor.names import some


def check_name(known: Known) -> Iterator[Finding]:
    """The server lists it, or answers to a name of anybody's choice."""
    server = known.server
    if server is None:
        yield ok("model", f"{known.name} is loaded")
        return
    kind = "" if server.kind == "unknown" else f" ({server.kind})"
    yield ok("server", f"{server.address} answers{kind}")
    if not server.listed or known.name in server.listed:
        yield ok("name", f"{known.name!r} answers" + (" and is listed" if server.listed else ""))
        return
    yield notice(
        "name",
        f"the server answers to {known.name!r}, but lists {some(server.listed)}: it may take any name for its own",
        "Make sure that this is the model you mean; the run is filed under the name you give.",
    )
