extern "C" __global__ void ptx_shuffle(const unsigned* x, unsigned* out) {
  unsigned t = threadIdx.x, *row = out + t * 8;
  const hipport::value_and_flag up = hipport::shuffle_up(x[t], 3, 0x1800), down = hipport::shuffle_down(x[t], 5, 31);
  const hipport::value_and_flag across = hipport::shuffle_bfly(x[t], 9, 0x1807), at = hipport::shuffle_idx(x[t], x[t], 0x100f);
  row[0] = up[0], row[1] = up[1], row[2] = down[0], row[3] = down[1];
  row[4] = across[0], row[5] = across[1], row[6] = at[0], row[7] = at[1];
  if (t % 32 > 6) out[512 + t] = hipport::elected(~0u)[0] | hipport::elected(~0u)[1] << 8;
  out[576 + t] = hipport::matched_all(~0u, t / 32)[1] | hipport::matched_all(~0u, t / 33)[1] << 1;
}
