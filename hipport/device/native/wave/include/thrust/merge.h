#include "../hipport/thrust_algorithms.h"
