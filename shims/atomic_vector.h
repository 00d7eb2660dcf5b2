namespace hipport {
template <class T> struct vector_added;
template <> struct vector_added<float2> { typedef float2 type; };
template <> struct vector_added<float4> { typedef float4 type; };
__device__ inline float2 atomic_add(float2* address, float2 value) {
  float* part = (float*)address;
  const float x = atomicAdd(part, value.x);
  return make_float2(x, atomicAdd(part + 1, value.y));
}
__device__ inline float4 atomic_add(float4* address, float4 value) {
  float* part = (float*)address;
  const float x = atomicAdd(part, value.x), y = atomicAdd(part + 1, value.y), z = atomicAdd(part + 2, value.z);
  return make_float4(x, y, z, atomicAdd(part + 3, value.w));
}
}  // namespace hipport
// A template: an overload of the repository's own is taken before it.
template <class T>
__device__ inline typename hipport::vector_added<T>::type atomicAdd(T* address, typename hipport::vector_added<T>::type value) {
  return hipport::atomic_add(address, value);
}
