// expect: match-width match-width
__global__ void k(const int* key, unsigned* out) {
  int same;
  out[threadIdx.x] = (unsigned)(__match_any(key[threadIdx.x]) >> (__lane_id() & 32));
  out[0] = hipport::match_all(0xffffffff, key[0], &same);
}
