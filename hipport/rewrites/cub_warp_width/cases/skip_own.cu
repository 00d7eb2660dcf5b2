template <class T> struct WarpReduce {};
WarpReduce<int> mine;
namespace other { template <class T> struct WarpReduce {}; }
other::WarpReduce<int> theirs;
