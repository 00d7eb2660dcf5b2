"""Devices of another machine: a real sshd on loopback, started for the test by whoever runs it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from hipport import api
from hipport.device import FaultError
from hipport.device.configured import resolved
from hipport.errors import DataError, UntestedError, UsageError

ROOT = Path(__file__).resolve().parents[2]
SSHD = shutil.which("sshd") or shutil.which("sshd", path="/usr/sbin:/usr/local/sbin")
KERNEL = """#include "scale.h"
__global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = FACTOR * x[i];
}
__global__ void past_the_end(float* y) { y[1 << 20] = 1.0f; }
"""


@pytest.fixture(scope="module")
def host(tmp_path_factory) -> dict:
    """A name and the ssh words of a server on a free port of this machine."""
    if SSHD is None or shutil.which("ssh-keygen") is None:
        pytest.skip("no sshd is here (Debian: openssh-server)")
    home = tmp_path_factory.mktemp("ssh")
    home.chmod(0o700)
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(home / name)], check=True)
    (home / "authorized").write_text((home / "user.pub").read_text())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    lines = [f"Port {port}", "ListenAddress 127.0.0.1", f"HostKey {home}/host", f"AuthorizedKeysFile {home}/authorized"]
    lines += ["StrictModes no", "UsePAM no", "PidFile none", "PasswordAuthentication no", "PermitRootLogin yes"]
    (home / "config").write_text("\n".join(lines) + "\n")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    with (home / "log").open("w") as log:
        server = subprocess.Popen([SSHD, "-D", "-e", "-f", str(home / "config")], stderr=log)
    words = ["-p", str(port), "-i", f"{home}/user", "-o", f"UserKnownHostsFile={home}/known"]
    words += ["-o", "StrictHostKeyChecking=no", "-o", "LogLevel=ERROR"]
    try:
        for _ in range(100):
            tried = subprocess.run(
                ["ssh", "-T", "-o", "BatchMode=yes", *words, "127.0.0.1", "true"], check=False, capture_output=True
            )
            if tried.returncode == 0:
                break
            if server.poll() is not None:
                pytest.skip(f"sshd does not start: {(home / 'log').read_text()[-200:]}")
            time.sleep(0.1)
        else:
            pytest.skip(f"sshd lets nobody in: {tried.stderr.decode()[-200:]}")
        yield {"words": words, "home": home}
    finally:
        server.terminate()
        server.wait()


@pytest.fixture
def configured(host, tmp_path, monkeypatch) -> Path:
    """A folder whose hipport.toml names the host, and the host's python with this checkout's settings."""
    python = tmp_path / "python"
    kept = "".join(f'export {k}="{v}"\n' for k, v in os.environ.items() if k.startswith("HIPPORT"))
    python.write_text(f'#!/bin/sh\n{kept}export PYTHONPATH="{ROOT}"\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    words = ", ".join(f'"{word}"' for word in host["words"])
    device = (
        f'[[device]]\nname = "near"\ndevice = "isa:gfx950"\nhost = "127.0.0.1"\nssh = [{words}]\npython = "{python}"\n'
    )
    (tmp_path / "hipport.toml").write_text(device)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def source(folder: Path) -> Path:
    (folder / "scale.h").write_text("constexpr float FACTOR = 2.5f;\n")
    (folder / "scale.hip").write_text(KERNEL)
    return folder / "scale.hip"


@pytest.mark.amd
@pytest.mark.usefixtures("amd")
def test_a_kernel_runs_on_another_machine_as_on_this_one(configured) -> None:
    module = api.device("near").build(source(configured))
    x, y = np.arange(100, dtype=np.float32), np.zeros(100, dtype=np.float32)
    x.flags.writeable = False
    done = module["scale"](grid=2, block=64, args=[x, y, 100])
    assert (y == x * np.float32(2.5)).all()
    assert (done.device, done.fidelity.value) == ("near", "exact")
    with pytest.raises(FaultError, match=r"^scale\.hip:6: .* out of bounds"):
        module["past_the_end"](grid=1, block=1, args=[y])
    y[:] = 0
    module["scale"](grid=2, block=64, args=[x, y, 100])  # the connection outlives a fault
    assert y[99] == np.float32(2.5) * 99


@pytest.mark.amd
@pytest.mark.usefixtures("amd")
def test_another_machine_s_compile_errors_come_back(configured) -> None:
    bad = configured / "bad.hip"
    bad.write_text("__global__ void k() { undeclared(); }\n")
    with pytest.raises(Exception, match="undeclared"):
        api.device("isa:gfx950@near").build(bad)


def test_a_host_without_hipport_or_without_a_name_could_not_be_tested(configured) -> None:
    text = (configured / "hipport.toml").read_text().replace(str(configured / "python"), "/nowhere/python3")
    (configured / "hipport.toml").write_text(text)
    with pytest.raises(UntestedError, match="/nowhere/python3"):
        api.device("near")
    (configured / "hipport.toml").write_text("")
    with pytest.raises(UntestedError, match=r"no\.such\.host\.invalid"):
        api.device("isa:gfx950@no.such.host.invalid")


def test_devices_of_the_configuration_are_checked(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    where = tmp_path / "hipport.toml"
    where.write_text('[[device]]\nname = "a"\ndevice = "hip"\nhost = "b"\n')
    assert (resolved("a").device, resolved("a").host) == ("hip", "b")
    assert (resolved("isa:gfx942@a").device, resolved("isa:gfx942@a").host) == ("isa:gfx942", "b")
    assert resolved("isa:gfx942@other").host == "other"
    for bad in (
        'name = "a"',
        'name = "a"\ndevice = "hip"\nport = 22',
        'name = "a"\ndevice = "hip"\nhost = "-oProxyCommand=x"',
    ):
        where.write_text(f"[[device]]\n{bad}\n")
        with pytest.raises(DataError, match=r"hipport\.toml: device 1"):
            resolved("a")
    where.write_text("")
    for bad in ("hip@", "@host", "hip@-oProxyCommand=x"):
        with pytest.raises(UsageError, match="is no device"):
            resolved(bad)
