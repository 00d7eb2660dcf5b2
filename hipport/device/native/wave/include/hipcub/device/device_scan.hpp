#include "../hipcub.hpp"
