"""Where kernels run: real GPUs, and AMD machine code or source-level lanes on the CPU."""
