#pragma once
#include "core.h"
#include "types.h"
#include "std.h"
#include "libraries.h"
