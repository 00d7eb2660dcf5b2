#pragma once
#include "../cub/cub.cuh"
namespace hipcub = cub;
