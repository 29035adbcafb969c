"""What machine this is: recorded with every run, and used to size thread pools."""

from __future__ import annotations

import os
import platform
from typing import Any


def usable_cpus() -> int:
    """Processors this process may use, which a container or `taskset` can make fewer than there are."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def describe() -> dict[str, Any]:
    """System, processor type and count, and Python, without names that identify the machine."""
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "cpus": usable_cpus(),
        "python": platform.python_version(),
    }
