// A repository's own overloads of the shuffles: their declarations are no calls, and what calls them is theirs to choose.
// `f(const unsigned delta, 32)` as a parameter list would not compile.
struct Half { float v; };

__device__ __inline__ Half __shfl_up_sync(const unsigned mask, const Half var, const unsigned int delta) {
  return Half{__shfl_up(var.v, delta, 32)};
}

__device__ __inline__ Half __shfl_down(const Half var, const unsigned int delta) {
  return Half{__shfl_down(var.v, delta, 32)};
}
