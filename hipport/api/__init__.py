"""What the command line, tests and notebooks call: typed in, typed out. Nothing here prints or ends the process."""

from hipport.api.comparing import (
    certificates,
    diff,
    pack,
    ported_folder,
    record,
    verify,
    verify_devices,
    verify_init,
)
from hipport.api.facts import (
    closures,
    explain,
    rule_pages,
    shim_header,
    shims,
    target_sources,
    targets,
    write_shim,
)
from hipport.api.porting import (
    PortAnswer,
    check,
    compile_files,
    install_toolchain,
    port,
    report,
    toolchain_status,
)
from hipport.api.running import default_device, device, devices, run, run_program

__all__ = [
    "PortAnswer",
    "certificates",
    "check",
    "closures",
    "compile_files",
    "default_device",
    "device",
    "devices",
    "diff",
    "explain",
    "install_toolchain",
    "pack",
    "port",
    "ported_folder",
    "record",
    "report",
    "rule_pages",
    "run",
    "run_program",
    "shim_header",
    "shims",
    "target_sources",
    "targets",
    "toolchain_status",
    "verify",
    "verify_devices",
    "verify_init",
    "write_shim",
]
