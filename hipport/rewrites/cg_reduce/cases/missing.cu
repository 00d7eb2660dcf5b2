// expect: cg-reduce cg-reduce
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void k(int* x) { x[0] = cg::inclusive_scan(cg::coalesced_threads(), x[0]); }
