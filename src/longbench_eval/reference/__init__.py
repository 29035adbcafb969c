"""Published scores, with their sources, and a run set beside them."""

from longbench_eval.reference.beside import Beside, set_beside
from longbench_eval.reference.published import TABLES, Published, Source, published, sources

__all__ = ["TABLES", "Beside", "Published", "Source", "published", "set_beside", "sources"]
