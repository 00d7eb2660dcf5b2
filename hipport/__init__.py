"""Port CUDA extensions to HIP: rename, rewrite for the wavefront, build, execute and compare."""

__version__ = "0.1.0"
