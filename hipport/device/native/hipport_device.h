/* Included ahead of device code that the executor will run: host services become one pseudo-instruction, which the lifter
 * recognises in the assembly. The device library's printf, assert and malloc all go through these three functions; defined
 * here, they are not taken from the library. */
#if defined(__HIP_DEVICE_COMPILE__) && defined(__AMDGCN__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
typedef unsigned long __hipport_result __attribute__((ext_vector_type(2)));

extern "C" __attribute__((device, noinline, weak)) __hipport_result __ockl_hostcall_preview(
    unsigned service, unsigned long a0, unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
    unsigned long a5, unsigned long a6, unsigned long a7) {
  __hipport_result result;
  __asm__ volatile("; hipport_hostcall %0, %1, %2, %3, %4, %5, %6, %7, %8, %9"
                   : "=&v"(result)
                   : "v"(service), "v"(a0), "v"(a1), "v"(a2), "v"(a3), "v"(a4), "v"(a5), "v"(a6), "v"(a7)
                   : "memory");
  return result;
}
extern "C" __attribute__((device, weak)) unsigned long long __ockl_dm_alloc(unsigned long long size) {
  return __ockl_hostcall_preview(0x100, size, 0, 0, 0, 0, 0, 0, 0).x;
}
extern "C" __attribute__((device, weak)) void __ockl_dm_dealloc(unsigned long long address) {
  __ockl_hostcall_preview(0x101, address, 0, 0, 0, 0, 0, 0, 0);
}
#pragma clang diagnostic pop
#endif
