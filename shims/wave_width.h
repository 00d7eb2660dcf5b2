namespace hipport {
// The lanes of a wave: a constant in device code, a question to the device in host code. The host pass of a kernel only
// needs some number to parse it: 64 is a placeholder there and sizes nothing.
#if defined(__HIP_DEVICE_COMPILE__) && !defined(__GFX9__)
constexpr int kWaveWidth = 32;
#else
constexpr int kWaveWidth = 64;
#endif
using lane_mask = unsigned long long;
inline int wave_width(int device) {
  int lanes = 0;
  return hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, device) == hipSuccess ? lanes : 0;
}
}  // namespace hipport
