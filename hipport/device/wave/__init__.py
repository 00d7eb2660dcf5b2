"""CUDA and HIP source on the CPU: every thread a fiber, the wave's width a number, every access checked."""
