#pragma once
#include <hip/hip_runtime.h>
void add_index(int* values, int n, hipStream_t stream);
