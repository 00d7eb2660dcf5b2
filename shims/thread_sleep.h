namespace hipport {
// Waits between 0 and twice the nanoseconds, at most a millisecond. s_sleep counts in 64 clocks: 30 ns at 2.1 GHz.
__device__ inline void nanosleep(unsigned nanoseconds) {
  unsigned left = (nanoseconds < 1000000u ? nanoseconds : 1000000u) / 32u;
  for (; left >= 127u; left -= 127u) __builtin_amdgcn_s_sleep(127);
  for (; left >= 8u; left -= 8u) __builtin_amdgcn_s_sleep(8);
  for (; left; --left) __builtin_amdgcn_s_sleep(1);
}
}  // namespace hipport
