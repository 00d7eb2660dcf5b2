#include "hipport/host.h"
