// Complex numbers as pairs.
#ifndef HIPPORT_WAVE_COMPLEX_H
#define HIPPORT_WAVE_COMPLEX_H
#include "hipport/device.h"
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define HIPPORT_COMPLEX(C, R, f, make)                                                                    \
  HIPPORT_INLINE R cuCreal##f(C a) { return a.x; }                                                        \
  HIPPORT_INLINE R cuCimag##f(C a) { return a.y; }                                                        \
  HIPPORT_INLINE C make_##make(R a, R b) { return C{a, b}; }                                              \
  HIPPORT_INLINE C cuConj##f(C a) { return C{a.x, -a.y}; }                                                \
  HIPPORT_INLINE C cuCadd##f(C a, C b) { return C{a.x + b.x, a.y + b.y}; }                                \
  HIPPORT_INLINE C cuCsub##f(C a, C b) { return C{a.x - b.x, a.y - b.y}; }                                \
  HIPPORT_INLINE C cuCmul##f(C a, C b) { return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }        \
  HIPPORT_INLINE C cuCdiv##f(C a, C b) {                                                                  \
    const R s = std::fabs(b.x) + std::fabs(b.y), o = (R)1 / s;                                            \
    const R ax = a.x * o, ay = a.y * o, bx = b.x * o, by = b.y * o, n = (R)1 / (bx * bx + by * by);       \
    return C{(ax * bx + ay * by) * n, (ay * bx - ax * by) * n};                                           \
  }                                                                                                       \
  HIPPORT_INLINE R cuCabs##f(C a) { return std::hypot(a.x, a.y); }                                        \
  HIPPORT_INLINE C cuCfma##f(C a, C b, C c) { return cuCadd##f(cuCmul##f(a, b), c); }
HIPPORT_COMPLEX(cuFloatComplex, float, f, cuFloatComplex)
HIPPORT_COMPLEX(cuDoubleComplex, double, , cuDoubleComplex)
#undef HIPPORT_COMPLEX
HIPPORT_INLINE cuComplex make_cuComplex(float a, float b) { return cuComplex{a, b}; }
HIPPORT_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return {(float)a.x, (float)a.y}; }
HIPPORT_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
#endif
