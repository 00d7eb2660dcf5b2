#pragma once
#include "../hipport/cub_device.h"
