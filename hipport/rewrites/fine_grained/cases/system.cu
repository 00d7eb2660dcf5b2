// expect: fine-grained
__global__ void post(unsigned* mailbox, int* count) {
  atomicAdd_system(count, 1);
  atomicExch_system(mailbox, 1u);
}
