// Members that are a thread's own, loaded by a pointer that may change, or in LDS.
struct Node { int count; Node* next; };
struct Cell { int hits; };
struct Sums { float part[4]; int n; };
__global__ void chain(Node* head, Cell* cells, const int* x, int n) {
  __shared__ Sums sums;
  Cell mine;
  mine.hits = 0;
  sums.n = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicAdd(&head->next->count, x[i]);
    atomicAdd(&cells[i].hits, 1);
    atomicAdd(&cells[x[i]].hits, 1);
    atomicAdd(&sums.n, 1);
    atomicAdd(&mine.hits, 1);
    head = head->next;
    atomicAdd(&head->count, 1);
  }
}
__global__ void moving(Sums* out, Node work, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    work.next = work.next->next;
    atomicAdd(&work.next->count, i);
  }
}
