#include <hip/hip_bf16.h>
namespace hipport {
template <class T> struct bfloat16_pair {};
template <> struct bfloat16_pair<__hip_bfloat162> { typedef __hip_bfloat162 type; };
template <class Shuffle>
__device__ inline __hip_bfloat162 shuffled(__hip_bfloat162 value, Shuffle shuffle) {
  unsigned bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  bits = shuffle(bits);
  __builtin_memcpy(static_cast<void *>(&value), &bits, sizeof(bits));
  return value;
}
}  // namespace hipport
// HIP's shuffles without a mask take a bfloat16 but no pair of them. As templates these give way to functions of HIP's own.
template <class T>
__device__ inline typename hipport::bfloat16_pair<T>::type __shfl(T value, int lane, int width = warpSize) {
  return hipport::shuffled(value, [=](unsigned bits) { return __shfl(bits, lane, width); });
}
template <class T>
__device__ inline typename hipport::bfloat16_pair<T>::type __shfl_up(T value, unsigned delta, int width = warpSize) {
  return hipport::shuffled(value, [=](unsigned bits) { return __shfl_up(bits, delta, width); });
}
template <class T>
__device__ inline typename hipport::bfloat16_pair<T>::type __shfl_down(T value, unsigned delta, int width = warpSize) {
  return hipport::shuffled(value, [=](unsigned bits) { return __shfl_down(bits, delta, width); });
}
template <class T>
__device__ inline typename hipport::bfloat16_pair<T>::type __shfl_xor(T value, int mask, int width = warpSize) {
  return hipport::shuffled(value, [=](unsigned bits) { return __shfl_xor(bits, mask, width); });
}
