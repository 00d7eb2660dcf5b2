extern "C" __global__ void ptx_video(const unsigned* x, unsigned* out) {
  unsigned t = threadIdx.x;
  out[t * 4] = hipport::video_absdiff(x[t], x[t + 64]);
  out[t * 4 + 1] = hipport::video_absdiff((int)x[t], x[t + 64]);
  out[t * 4 + 2] = hipport::video_shr_clamp(x[t], t);
  out[t * 4 + 3] = hipport::video_shl_wrap(x[t], t);
}
