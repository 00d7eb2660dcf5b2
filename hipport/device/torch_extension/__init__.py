"""PyTorch's CUDA extensions with no GPU: host code against PyTorch's CPU build, kernels on isa or wave.

extension = build_extension("row_softmax", "isa:gfx950")      # .building: a folder with a setup.py, or sources
done = run_case(extension, Path("case.py"), seed=3)           # .case: in a process of its own, forward and backward
"""
