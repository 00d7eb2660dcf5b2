// The same maths as executor.hip in plain C++ for one core.
#include <algorithm>
#include <cmath>
#include <cstring>

extern "C" {
void block_sums(const float* in, float* out, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += in[i];
  out[0] = sum;
}
void histogram(const unsigned* keys, unsigned* bins, int n) {
  for (int i = 0; i < n; ++i) ++bins[keys[i] & 63u];
}
void matmul_tiled(const float* a, const float* b, float* c, int n) {
  std::memset(c, 0, sizeof(float) * n * n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
void row_softmax(const float* x, float* y, int columns) {
  for (int row = 0; row < columns; ++row) {
    const float* in = x + static_cast<size_t>(row) * columns;
    float* out = y + static_cast<size_t>(row) * columns;
    float most = in[0], sum = 0.0f;
    for (int i = 0; i < columns; ++i) most = std::max(most, in[i]);
    for (int i = 0; i < columns; ++i) sum += out[i] = std::exp(in[i] - most);
    for (int i = 0; i < columns; ++i) out[i] /= sum;
  }
}
}
