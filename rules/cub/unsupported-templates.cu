// left: cub::DeviceTopK cub::DispatchReduce
#include <cub/cub.cuh>

template <class... T>
void first(T... t) {
  cub::DeviceTopK::MaxKeys(t...);
  cub::DispatchReduce<T...>::Dispatch(t...);
}
