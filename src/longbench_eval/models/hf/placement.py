"""Device and dtype, by sensible default."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from longbench_eval.errors import UsageError
from longbench_eval.models.hf.options import TransformersOptions

if TYPE_CHECKING:
    import torch


def choose_device(wanted: str | None) -> torch.device:
    """CUDA, else Apple's, else the processor, unless another is asked for.

    Raises:
        UsageError: torch does not know the device, or there is none.
    """
    import torch

    if wanted is None:
        if torch.cuda.is_available():
            return torch.device("cuda")
        return torch.device("mps" if torch.backends.mps.is_available() else "cpu")
    try:
        device = torch.device(wanted)
        torch.empty(0, device=device)
    except Exception as error:  # RuntimeError, AssertionError, NotImplementedError: each backend has its own
        reason = str(error).splitlines()[0]
        raise UsageError(f"--device {wanted} cannot be used: {reason} Try cuda, cuda:1, mps or cpu.") from None
    if device.type == "meta":
        raise UsageError("--device meta cannot be used: nothing is computed there. Try cuda, cuda:1, mps or cpu.")
    return device


def placing(options: TransformersOptions, device: torch.device) -> dict[str, Any]:
    """What `from_pretrained` is told of devices: several GPUs share a model when none is named."""
    import torch

    if find_spec("accelerate") is None or device.type == "cpu":
        return {}
    if options.device is None and device.type == "cuda" and torch.cuda.device_count() > 1:
        return {"device_map": "auto"}
    return {"device_map": {"": device}}


def choose_dtype(wanted: str | None, own: torch.dtype | None, device: torch.device) -> torch.dtype | str:
    """The checkpoint's own dtype where the device computes well in it, else float32.

    Args:
        wanted: As the user gave it.
        own: The checkpoint's; None when its configuration does not say.
        device: Where it will run.
    """
    import torch

    if wanted is not None:
        chosen: torch.dtype = getattr(torch, wanted)
        return chosen
    if own is None or own == torch.float32:
        return own or "auto"
    return own if _computes_well(own, device) else torch.float32


def _computes_well(dtype: torch.dtype, device: torch.device) -> bool:
    """Measured: bfloat16 on a processor without instructions for it is 3 to 10 times slower than float32.

    With AVX512-BF16 it is as fast, with AMX 3 times faster. float16 was nowhere faster than float32 on a processor.
    """
    import torch

    if device.type == "cpu":
        return dtype == torch.bfloat16 and has_bfloat16()
    if device.type == "cuda" and dtype == torch.bfloat16:
        return torch.cuda.get_device_capability(device) >= (8, 0) or torch.version.hip is not None
    return True


def has_bfloat16() -> bool:
    """Whether the processor has instructions for bfloat16."""
    import torch

    # Newer versions of torch tell; older ones have these functions.
    told: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    old = (getattr(torch.cpu, name, bool)() for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"))
    return any(told.get(name) for name in ("avx512_bf16", "amx_bf16", "bf16")) or any(old)
