"""Runs the setup.py of the current folder as a ROCm torch would, and writes its compile commands down instead.

The torch at hand may be built for the CPU: what cpp_extension asks about ROCm is set before it is imported.
"""

from __future__ import annotations

import json
import os
import runpy
import sys

import torch

torch.version.hip, torch.version.cuda = "7.2.0", None
torch.cuda._is_compiled = lambda: True
from torch.utils import cpp_extension  # noqa: E402

assert cpp_extension.IS_HIP_EXTENSION, cpp_extension.ROCM_HOME
cpp_extension.is_ninja_available = lambda: False
COMMANDS: list[list[str]] = []
BUILD = cpp_extension.BuildExtension.build_extensions


def build_extensions(self: cpp_extension.BuildExtension) -> None:
    """Record each command that the compiler would start."""
    compiler = self.compiler
    compiler.call = compiler.spawn = lambda command, **_kept: COMMANDS.append([str(word) for word in command])
    BUILD(self)


cpp_extension.BuildExtension.build_extensions = build_extensions
sys.argv = ["setup.py", "build_ext"]
sys.path.insert(0, os.getcwd())  # noqa: PTH109 - as setup.py sees it
runpy.run_path("setup.py", run_name="__main__")
with open(os.environ["COMMANDS"], "w", encoding="utf-8") as file:  # noqa: PTH123
    json.dump(COMMANDS, file)
