#include "hipport/device.h"
#include "hipport/host.h"
