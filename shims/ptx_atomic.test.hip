extern "C" __global__ void ptx_atomic(unsigned* words, float* sums) {
  constexpr int relaxed = __ATOMIC_RELAXED, agent = __HIP_MEMORY_SCOPE_AGENT;
  unsigned t = threadIdx.x;
  hipport::atomic_add_f16x2<relaxed, agent>(words, 0x40003c00u);                        // 1 and 2
  hipport::atomic_add_bf16x2<__ATOMIC_ACQ_REL, agent>(words + 1, 0x40003f80u);          // 1 and 2
  hipport::atomic_max_f16<relaxed, agent>((unsigned short*)(words + 2) + 1, (unsigned short)hipport::half_bits((float)t));
  hipport::atomic_min_bf16x2<relaxed, agent>(words + 3, hipport::bfloat_bits(-(float)t) | hipport::bfloat_bits((float)t) << 16);
  hipport::atomic_add_f32<relaxed, agent, 4>(sums, hipport::vector<float, 4>{1.0f, 2.0f, (float)t, -1.0f});
}
