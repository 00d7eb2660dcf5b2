// Element by element arithmetic of HIP's vector types.
#define HIPPORT_BINARY(name, op)                                                                                                  \
  static HIPPORT_INLINE name##2 operator op(name##2 a, name##2 b) { return {(decltype(a.x))(a.x op b.x), (decltype(a.x))(a.y op b.y)}; } \
  static HIPPORT_INLINE name##3 operator op(name##3 a, name##3 b) {                                                               \
    return {(decltype(a.x))(a.x op b.x), (decltype(a.x))(a.y op b.y), (decltype(a.x))(a.z op b.z)};                               \
  }                                                                                                                               \
  static HIPPORT_INLINE name##4 operator op(name##4 a, name##4 b) {                                                               \
    return {(decltype(a.x))(a.x op b.x), (decltype(a.x))(a.y op b.y), (decltype(a.x))(a.z op b.z), (decltype(a.x))(a.w op b.w)};  \
  }                                                                                                                               \
  static HIPPORT_INLINE name##2 operator op(name##2 a, decltype(name##1::x) b) { return a op name##2{b, b}; }                     \
  static HIPPORT_INLINE name##3 operator op(name##3 a, decltype(name##1::x) b) { return a op name##3{b, b, b}; }                  \
  static HIPPORT_INLINE name##4 operator op(name##4 a, decltype(name##1::x) b) { return a op name##4{b, b, b, b}; }               \
  static HIPPORT_INLINE name##2 operator op(decltype(name##1::x) a, name##2 b) { return name##2{a, a} op b; }                     \
  static HIPPORT_INLINE name##3 operator op(decltype(name##1::x) a, name##3 b) { return name##3{a, a, a} op b; }                  \
  static HIPPORT_INLINE name##4 operator op(decltype(name##1::x) a, name##4 b) { return name##4{a, a, a, a} op b; }
#define HIPPORT_ASSIGNING(name, op)                                                                \
  static HIPPORT_INLINE name##2 &operator op##=(name##2 &a, name##2 b) { return a = a op b; }      \
  static HIPPORT_INLINE name##3 &operator op##=(name##3 &a, name##3 b) { return a = a op b; }      \
  static HIPPORT_INLINE name##4 &operator op##=(name##4 &a, name##4 b) { return a = a op b; }      \
  static HIPPORT_INLINE name##2 &operator op##=(name##2 &a, decltype(name##1::x) b) { return a = a op b; } \
  static HIPPORT_INLINE name##3 &operator op##=(name##3 &a, decltype(name##1::x) b) { return a = a op b; } \
  static HIPPORT_INLINE name##4 &operator op##=(name##4 &a, decltype(name##1::x) b) { return a = a op b; }
#define HIPPORT_ARITHMETIC(name)                                                                              \
  HIPPORT_BINARY(name, +) HIPPORT_BINARY(name, -) HIPPORT_BINARY(name, *) HIPPORT_BINARY(name, /)            \
  HIPPORT_ASSIGNING(name, +) HIPPORT_ASSIGNING(name, -) HIPPORT_ASSIGNING(name, *) HIPPORT_ASSIGNING(name, /) \
  static HIPPORT_INLINE bool operator==(name##2 a, name##2 b) { return a.x == b.x && a.y == b.y; }           \
  static HIPPORT_INLINE bool operator==(name##3 a, name##3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; } \
  static HIPPORT_INLINE bool operator==(name##4 a, name##4 b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; } \
  static HIPPORT_INLINE bool operator!=(name##2 a, name##2 b) { return !(a == b); }                          \
  static HIPPORT_INLINE bool operator!=(name##3 a, name##3 b) { return !(a == b); }                          \
  static HIPPORT_INLINE bool operator!=(name##4 a, name##4 b) { return !(a == b); }                          \
  static HIPPORT_INLINE name##2 operator-(name##2 a) { return {(decltype(a.x))-a.x, (decltype(a.x))-a.y}; }  \
  static HIPPORT_INLINE name##3 operator-(name##3 a) { return {(decltype(a.x))-a.x, (decltype(a.x))-a.y, (decltype(a.x))-a.z}; } \
  static HIPPORT_INLINE name##4 operator-(name##4 a) {                                                       \
    return {(decltype(a.x))-a.x, (decltype(a.x))-a.y, (decltype(a.x))-a.z, (decltype(a.x))-a.w};             \
  }
HIPPORT_ARITHMETIC(char)
HIPPORT_ARITHMETIC(uchar)
HIPPORT_ARITHMETIC(short)
HIPPORT_ARITHMETIC(ushort)
HIPPORT_ARITHMETIC(int)
HIPPORT_ARITHMETIC(uint)
HIPPORT_ARITHMETIC(longlong)
HIPPORT_ARITHMETIC(ulonglong)
HIPPORT_ARITHMETIC(float)
HIPPORT_ARITHMETIC(double)
#undef HIPPORT_ARITHMETIC
#undef HIPPORT_ASSIGNING
#undef HIPPORT_BINARY
