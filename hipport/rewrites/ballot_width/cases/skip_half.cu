__device__ unsigned half_ballot(int p) { return (unsigned)(__ballot(p) >> (__lane_id() & 32)); }
