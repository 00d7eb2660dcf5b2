"""Whole HIP programs with no GPU: compiled for the target, linked with our HIP runtime, run on the isa executor."""
