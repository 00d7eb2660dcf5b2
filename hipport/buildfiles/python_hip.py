"""What in Python code asks whether it runs on ROCm."""

from __future__ import annotations

import re

HIP_WORDS = re.compile(r"version\.hip|IS_HIP|ROCM|[Rr]ocm|\bhip\b|is_hip|IS_AMD|is_amd|hipcc|HIP_HOME")
