namespace hipport {
// A register as its halves, the first the low one; and back.
struct parts_of_64 { unsigned part[2]; __device__ unsigned operator[](int i) const { return part[i]; } };
struct parts_of_32 { unsigned short part[2]; __device__ unsigned short operator[](int i) const { return part[i]; } };
__device__ inline unsigned long long joined64(unsigned low, unsigned high) { return (unsigned long long)high << 32 | low; }
__device__ inline unsigned joined32(unsigned short low, unsigned short high) { return (unsigned)high << 16 | low; }
__device__ inline parts_of_64 parts64(unsigned long long whole) { return {{(unsigned)whole, (unsigned)(whole >> 32)}}; }
__device__ inline parts_of_32 parts32(unsigned whole) { return {{(unsigned short)whole, (unsigned short)(whole >> 16)}}; }
}  // namespace hipport
