// expect: inline-ptx
__device__ int elected() {
  int p;
  do { unsigned hipport_0 = {}; bool hipport_q = {}; { const auto hipport_v = hipport::elected((unsigned)0xffffffff); hipport_q = (hipport_v[1] != 0); }; hipport_0 = hipport_q ? (int)1 : (int)0; p = hipport_0; } while (0);
  return p;
}
