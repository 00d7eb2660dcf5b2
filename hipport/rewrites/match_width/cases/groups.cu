// expect: match-width match-width
__global__ void k(const int* key, unsigned* out) {
  int same;
  out[threadIdx.x] = __match_any_sync(0xffffffff, key[threadIdx.x]);
  out[0] = __match_all_sync(0xffffffff, key[0], &same);
}
