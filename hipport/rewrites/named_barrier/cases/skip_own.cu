// A function of the host's, and a member.
void __barrier_sync_host(int);
struct Team {
  __device__ void __barrier_sync_count(int, int) {}
};
__global__ void k(int* x) {
  Team team;
  team.__barrier_sync_count(1, 64);
  x[threadIdx.x] = 1;
}
