"""What a paper that prints a score cites."""

from __future__ import annotations

from longbench_eval.version import __version__

# Facts of the entry: the ACL Anthology, 2024.acl-long.172, and arXiv.
LONGBENCH = """@inproceedings{bai2024longbench,
  title     = {{LongBench}: A Bilingual, Multitask Benchmark for Long Context Understanding},
  author    = {Bai, Yushi and Lv, Xin and Zhang, Jiajie and Lyu, Hongchang and Tang, Jiankai and Huang, Zhidian
               and Du, Zhengxiao and Liu, Xiao and Zeng, Aohan and Hou, Lei and Dong, Yuxiao and Tang, Jie
               and Li, Juanzi},
  booktitle = {Proceedings of the 62nd Annual Meeting of the Association for Computational Linguistics},
  year      = {2024},
  doi       = {10.18653/v1/2024.acl-long.172},
  note      = {arXiv:2308.14508}
}"""

TOOL = f"""@software{{longbench_eval,
  title   = {{longbench-eval}},
  author  = {{{{The longbench-eval authors}}}},
  version = {{{__version__}}},
  year    = {{2026}}
}}"""

BIBTEX = f"{LONGBENCH}\n\n{TOOL}"
