// expect: scoped-atomic scoped-atomic scoped-atomic scoped-atomic scoped-atomic scoped-atomic scoped-atomic
// Waits of an atomic are left to a person; those of other objects are not its own.
struct Gate { __device__ void wait(int) {} };
__global__ void pass(cuda::atomic<int, cuda::thread_scope_device>* turn, int* flag, int rank) {
  cuda::atomic_ref<int, cuda::thread_scope_device> mine(*flag);
  Gate gate;
  gate.wait(0);
  turn->wait(rank);
  mine.store(1);
  turn[1].notify_all();
  mine.notify_one();
}
