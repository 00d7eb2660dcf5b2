// left: cub::DeviceTopK cub::DispatchReduce
#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>

template <class... T>
void first(T... t) {
  cub::DeviceTopK::MaxKeys(t...);
  cub::DispatchReduce<T...>::Dispatch(t...);
}
