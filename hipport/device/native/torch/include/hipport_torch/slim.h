// What nearly every extension uses of <torch/extension.h>: tensors, operators, factories, libraries, Python bindings. It
// takes a third of the time of all of PyTorch's C++ frontend, which a source that needs more of it gets in a second try.
#pragma once

#include <torch/types.h>

#include <torch/csrc/utils/pybind.h>
#include <torch/library.h>
