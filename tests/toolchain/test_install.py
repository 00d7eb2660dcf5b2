"""Making the private prefix: routes, resuming, checksums, two at once; apt and PyPI are stood in for."""

from __future__ import annotations

import hashlib
import io
import json
import re
import sys
import tarfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hipport.errors import DataError, HipportError, UntestedError, UsageError
from hipport.toolchain import apt, debianroute, pypiroute
from hipport.toolchain import install as installing
from hipport.toolchain.install import Route, install, route_named
from hipport.toolchain.places import MANIFEST, read_prefix
from hipport.toolchain.recipe import Package, Recipe, load_recipe, verify

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).resolve().parents[2]
HEADERS = {"usr/include/hip/hip_runtime.h": "", "usr/include/hip/hip_fp16.h": ""}
BITCODE = {"usr/lib/llvm-22/lib/clang/22/amdgcn/bitcode/ocml.bc": "BC"}
CLANG = {"usr/lib/llvm-22/bin/clang++": "#!/bin/sh\n", "usr/lib/x86_64-linux-gnu/libx.so": ""}


@dataclass
class Machine:
    """A machine whose apt is ours: `archive` is its archive, `prefix` where the toolchain goes."""

    archive: Path
    prefix: Path

    def publish(self, suite: str, name: str, version: str, files: Mapping[str, str], **more: Sequence[str]) -> str:
        """Put a package into a suite; gives its sha256."""
        path = self.archive / f"{name}.tar"
        with tarfile.open(path, "w") as tar:
            for place, text in files.items():
                info = tarfile.TarInfo(place)
                info.size = len(text)
                tar.addfile(info, io.BytesIO(text.encode()))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        listing = self.archive / "archive.json"
        value = json.loads(listing.read_text(encoding="utf-8")) if listing.exists() else {}
        value.setdefault(suite, {})[name] = {"version": version, "sha256": digest, **more}
        listing.write_text(json.dumps(value), encoding="utf-8")
        return digest

    def fetched(self) -> list[str]:
        log = self.archive / "fetched.log"
        return log.read_text(encoding="utf-8").split() if log.exists() else []


def package(name: str, digest: str, version: str = "7.2-1", *, required: bool = True) -> Package:
    return Package(name, required, name, name.replace("NN", "22"), version, {"amd64": digest})


def recipe_of(headers: Sequence[Package], compiler: Sequence[Package], wheels: Sequence[Package] = ()) -> Recipe:
    codes = {"hip/hip_runtime.h": "the runtime", "hip/hip_fp16.h": "half", "hipcub/hipcub.hpp": "hipCUB"}
    return Recipe(("experimental", "unstable"), 20, tuple(headers), tuple(compiler), tuple(wheels), "311", (), codes)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    archive, programs, etc = tmp_path / "archive", tmp_path / "bin", tmp_path / "etc"
    for folder in (archive, programs, etc):
        folder.mkdir()
    fake = Path(__file__).with_name("fake_apt.py")
    for name in ("apt-get", "apt-cache", "apt-config", "dpkg-deb"):
        text = f"#!{sys.executable}\n" + fake.read_text(encoding="utf-8")
        (programs / name).write_text(text, encoding="utf-8")
        (programs / name).chmod(0o755)
    (etc / "sources.list").write_text("deb http://archive.example/any bookworm main\n", encoding="utf-8")
    status = tmp_path / "status"
    status.write_text(
        "Package: libc6-dev\nStatus: install ok installed\n\nPackage: libstdc++-12-dev\nStatus: install ok installed\n",
        encoding="utf-8",
    )
    release = {"ID": "debian", "VERSION_CODENAME": "bookworm", "PRETTY_NAME": "Debian 12"}
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    monkeypatch.setenv("FAKE_ARCHIVE", str(archive))
    monkeypatch.setattr(debianroute, "ETC_APT", etc)
    monkeypatch.setattr(debianroute, "DPKG_STATUS", status)
    monkeypatch.setattr(debianroute, "os_release", lambda: release)
    monkeypatch.setattr(pypiroute, "why_not", lambda: "pip is not for tests")
    made = Machine(archive, tmp_path / "prefix")
    headers = [
        package("libamdhip64-dev", made.publish("experimental", "libamdhip64-dev", "7.2-1", HEADERS)),
        package("rocm-device-libs-NN", made.publish("experimental", "rocm-device-libs-22", "7.2-1", BITCODE)),
    ]
    compiler = [
        package("clang-NN", made.publish("bookworm", "clang-22", "22", CLANG, depends=["libz3", "libc6"]), "22"),
        package("lld-NN", made.publish("bookworm", "lld-22", "22", {"usr/bin/lld": ""}), "22"),
        package("llvm-NN", "", "22", required=False),
    ]
    made.publish("bookworm", "libz3", "4", {"usr/lib/x86_64-linux-gnu/libz3.so": ""})
    made.publish("bookworm", "libc6", "2", {"lib/libc.so": ""})
    monkeypatch.setattr(installing, "load_recipe", lambda: recipe_of(headers, compiler))
    return made


def test_a_prefix_is_made_and_says_what_it_lacks(machine: Machine, tmp_path: Path) -> None:
    before = {path for path in tmp_path.rglob("*") if machine.prefix not in path.parents}
    made = install(machine.prefix)
    assert made.fresh
    assert made.warnings == ()
    prefix = made.prefix
    assert prefix.route == "debian"
    assert (prefix.rocm / "include/hip/hip_runtime.h").is_file()
    assert prefix.bitcode is not None
    assert (prefix.bitcode / "ocml.bc").read_text(encoding="utf-8") == "BC"
    assert prefix.clang is not None
    assert prefix.clang.is_file()
    assert prefix.sysroot is None
    assert machine.prefix / "root/host/usr/lib/x86_64-linux-gnu" in prefix.libraries
    assert prefix.lacks == ("hipCUB (no hipcub/hipcub.hpp)", "llvm-NN (no package llvm-NN in the archive)")
    assert dict(prefix.packages)["libz3"] == "4"
    assert "libc6" not in dict(prefix.packages)  # what runs apt is never shadowed
    assert list((machine.prefix / "cache/logs").glob("*.log"))
    after = {path for path in tmp_path.rglob("*") if machine.prefix not in path.parents}
    assert after - before == {machine.prefix, machine.archive / "fetched.log"}


def test_a_second_call_finds_it_and_again_takes_the_downloads_of_the_first(machine: Machine) -> None:
    install(machine.prefix)
    first = machine.fetched()
    assert not install(machine.prefix).fresh
    assert install(machine.prefix, again=True).fresh
    assert machine.fetched() == first


def test_host_headers_come_along_where_the_machine_has_none(machine: Machine) -> None:
    debianroute.DPKG_STATUS.write_text("Package: libz3\nStatus: install ok installed\n", encoding="utf-8")
    made = install(machine.prefix)
    assert made.prefix.sysroot == machine.prefix / "root/host"
    assert "libz3" in dict(made.prefix.packages)


def test_libraries_that_the_machine_has_are_left_out(machine: Machine) -> None:
    with debianroute.DPKG_STATUS.open("a", encoding="utf-8") as status:
        status.write("\nPackage: libz3\nStatus: install ok installed\n")
    assert "libz3" not in dict(install(machine.prefix).prefix.packages)


def test_an_interrupted_download_goes_on_where_it_ended(machine: Machine) -> None:
    (machine.archive / "lld-22.broken").touch()
    with pytest.raises(HipportError) as caught:
        install(machine.prefix)
    assert "lld-22" in str(caught.value)
    assert "again" in caught.value.next_step
    assert read_prefix(machine.prefix) is None
    (machine.archive / "lld-22.broken").unlink()
    install(machine.prefix)
    assert sorted(machine.fetched()) == sorted(set(machine.fetched()))


def test_a_file_that_was_cut_in_the_cache_is_fetched_anew(machine: Machine) -> None:
    install(machine.prefix)
    (file,) = (machine.prefix / "cache/debs").glob("lld-22*")
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    install(machine.prefix, again=True)
    assert machine.fetched().count("lld-22") == 2
    assert machine.fetched().count("clang-22") == 1


def test_bytes_that_are_not_the_recorded_ones_are_refused(machine: Machine) -> None:
    machine.publish("experimental", "libamdhip64-dev", "7.2-1", {**HEADERS, "usr/include/evil.h": "x"})
    with pytest.raises(HipportError) as caught:
        install(machine.prefix)
    assert "sha256" in caught.value.what
    assert not list((machine.prefix / "cache/debs").glob("libamdhip64-dev*"))
    assert read_prefix(machine.prefix) is None


def test_a_newer_version_is_taken_with_a_warning(machine: Machine) -> None:
    machine.publish("experimental", "libamdhip64-dev", "7.3-1", HEADERS)
    made = install(machine.prefix)
    assert made.fresh
    (warning,) = made.warnings
    assert "libamdhip64-dev 7.3-1 is not the recorded" in warning


def test_rocm_may_move_to_the_next_suite(machine: Machine) -> None:
    listing = machine.archive / "archive.json"
    value = json.loads(listing.read_text(encoding="utf-8"))
    value["unstable"] = value.pop("experimental")
    listing.write_text(json.dumps(value), encoding="utf-8")
    assert install(machine.prefix).fresh


@pytest.mark.parametrize("change", ["old", "gone", "no bitcode", "no sources", "ubuntu", "no apt"])
def test_where_neither_route_works_each_reason_is_told(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    listing = machine.archive / "archive.json"
    value = json.loads(listing.read_text(encoding="utf-8"))
    expected = "ROCm 7"
    if change == "old":
        value["experimental"]["libamdhip64-dev"]["version"] = "5.2.3-1"
    elif change == "gone":
        del value["experimental"]
    elif change == "no bitcode":
        del value["experimental"]["rocm-device-libs-22"]
        expected = "rocm-device-libs"
    elif change == "no sources":
        (debianroute.ETC_APT / "sources.list").unlink()
        expected = "no source"
    elif change == "ubuntu":
        monkeypatch.setattr(debianroute, "os_release", lambda: {"ID": "ubuntu", "PRETTY_NAME": "Ubuntu 24.04"})
        expected = "Ubuntu 24.04"
    else:
        monkeypatch.setattr(apt.shutil, "which", lambda name: None if name == "apt-get" else name)
        expected = "apt-get is not here"
    listing.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(UntestedError) as caught:
        install(machine.prefix)
    assert expected in caught.value.what
    assert "pip is not for tests" in caught.value.what
    assert caught.value.next_step


def test_no_network_is_an_error_with_its_log(machine: Machine) -> None:
    (machine.archive / "offline").touch()
    with pytest.raises(HipportError) as caught:
        install(machine.prefix, Route.DEBIAN)
    assert "Temporary failure" in caught.value.what
    assert Path(caught.value.where).is_file()


def test_two_at_once_make_it_once(machine: Machine) -> None:
    said: list[str] = []
    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda _: install(machine.prefix, say=said.append), range(2)))
    assert sorted(one.fresh for one in made) == [False, True]
    assert machine.fetched().count("clang-22") == 1


def test_a_failed_remake_leaves_the_old_prefix_as_it_was(machine: Machine) -> None:
    install(machine.prefix)
    machine.publish("experimental", "libamdhip64-dev", "7.3-1", HEADERS)
    (machine.archive / "libamdhip64-dev.tar").write_bytes(b"no tar at all")
    listing = machine.archive / "archive.json"
    value = json.loads(listing.read_text(encoding="utf-8"))
    value["experimental"]["libamdhip64-dev"]["sha256"] = hashlib.sha256(b"no tar at all").hexdigest()
    listing.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(HipportError) as caught:
        install(machine.prefix, again=True)
    assert "could not be unpacked" in caught.value.what
    old = read_prefix(machine.prefix)
    assert old is not None
    assert dict(old.packages)["libamdhip64-dev"] == "7.2-1"
    assert (old.rocm / "include/hip/hip_runtime.h").is_file()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 99}'])
def test_a_damaged_manifest_is_no_prefix(machine: Machine, text: str) -> None:
    install(machine.prefix)
    (machine.prefix / MANIFEST).write_text(text, encoding="utf-8")
    assert read_prefix(machine.prefix) is None
    assert install(machine.prefix).fresh


def wheel(folder: Path, name: str, files: Mapping[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for place, text in files.items():
            archive.writestr(place, text)
    return path


VERSION = "#define HIP_VERSION_MAJOR 7\n#define HIP_VERSION_MINOR 1\n#define HIP_VERSION_PATCH 2\n"


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A prefix whose cache holds every wheel already."""
    prefix = tmp_path / "prefix"
    cache = prefix / "cache/wheels"
    paths = {
        "zigs": wheel(cache, "zigs", {"zigs/zig": "#!/bin/sh\n", "zigs/lib/a.h": ""}),
        "bits": wheel(cache, "bits", {"bits/bc/ocml.bc": "BC", "bits/bc/ockl.bc": "BC"}),
        "heads": wheel(cache, "heads", {"h/inc/hip/hip_version.h": VERSION, "h/inc/hip/hip_runtime.h": ""}),
    }
    places = {"zigs": ("zigs", "zig"), "bits": ("bits/bc", "rocm/amdgcn/bitcode"), "heads": ("h/inc", "rocm/include")}
    packages = [
        Package(
            name,
            required=True,
            gives=name,
            recorded_name=name,
            version="1.0",
            sha256={path.name: hashlib.sha256(path.read_bytes()).hexdigest()},
            native=name == "zigs",
            unpack=(places[name],),
        )
        for name, path in paths.items()
    ]
    monkeypatch.setattr(pypiroute, "why_not", lambda: "")
    monkeypatch.setattr(installing, "load_recipe", lambda: recipe_of([], [], packages))
    return prefix


def test_the_pypi_route_unpacks_what_its_wheels_carry(wheels: Path) -> None:
    made = install(wheels, Route.PYPI)
    prefix = made.prefix
    assert made.warnings == ()
    assert prefix.route == "pypi"
    assert prefix.zig == wheels / "root/zig/zig"
    assert prefix.bitcode == wheels / "root/rocm/amdgcn/bitcode"
    assert (prefix.rocm / "share/hip/version").read_text(encoding="utf-8").splitlines()[0] == "HIP_VERSION_MAJOR=7"
    assert prefix.lacks == ("half (no hip/hip_fp16.h)", "hipCUB (no hipcub/hipcub.hpp)")


def test_a_wheel_with_other_bytes_is_refused(wheels: Path) -> None:
    wheel(wheels / "cache/wheels", "bits", {"bits/bc/ocml.bc": "EVIL"})
    with pytest.raises(HipportError) as caught:
        install(wheels, Route.PYPI)
    assert "sha256" in caught.value.what


def test_a_wheel_that_would_write_elsewhere_is_refused(
    wheels: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wheel(wheels / "cache/wheels", "bits", {"bits/bc/../../../../../evil.bc": "EVIL"})
    recipe = installing.load_recipe()
    loose = [replace(one, version="0.9") for one in recipe.wheels]
    monkeypatch.setattr(installing, "load_recipe", lambda: replace(recipe, wheels=tuple(loose)))
    with pytest.raises(HipportError) as caught:
        install(wheels, Route.PYPI)
    assert "unsafe" in caught.value.what
    assert not list(tmp_path.rglob("evil.bc"))


def test_the_clang_of_zig_serves_a_debian_without_a_new_one(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    listing = machine.archive / "archive.json"
    value = json.loads(listing.read_text(encoding="utf-8"))
    del value["bookworm"]["clang-22"]
    listing.write_text(json.dumps(value), encoding="utf-8")
    path = wheel(machine.prefix / "cache/wheels", "zigs", {"zigs/zig": "#!/bin/sh\n"})
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    zigs = Package("zigs", True, "zig", "zigs", "1.0", {path.name: digest}, True, (("zigs", "zig"),))
    recipe = installing.load_recipe()
    monkeypatch.setattr(installing, "load_recipe", lambda: replace(recipe, wheels=(zigs,)))
    monkeypatch.setattr(pypiroute, "why_not", lambda: "")
    prefix = install(machine.prefix).prefix
    assert prefix.route == "debian"
    assert prefix.clang is None
    assert prefix.zig == machine.prefix / "root/zig/zig"


def test_the_recipe_holds_what_the_routes_need() -> None:
    recipe = load_recipe()
    assert {p.name for p in recipe.headers if p.required} == {"libamdhip64-dev", "rocm-device-libs-NN"}
    for one in (*recipe.headers, *recipe.compiler, *recipe.wheels):
        assert one.sha256
        assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in one.sha256.values())
    assert recipe.wheels
    assert all(one.unpack for one in recipe.wheels)


@pytest.mark.parametrize("text", ["", "debian: 3\n", "debian: {suites: [a]}\n", "{", "format: 1\n"])
def test_a_recipe_that_does_not_fit_is_an_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "toolchain.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_recipe(path)
    assert caught.value.where == str(path)


def test_an_unrecorded_architecture_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x_1_arm64.deb"
    path.write_bytes(b"x")
    assert "no recorded checksum for arm64" in verify(package("x", "0" * 64, "1"), "x", "1", "arm64", path)


def test_routes_by_name() -> None:
    assert route_named("debian") is Route.DEBIAN
    assert route_named(None) is None
    with pytest.raises(UsageError):
        route_named("conda")


def test_no_address_of_a_package_source_is_written_down() -> None:
    files = [*(ROOT / "hipport/toolchain").rglob("*.py"), ROOT / "rules/toolchain.yaml", ROOT / "tests/install.py"]
    files += [ROOT / "docs/toolchain.md", ROOT / "Makefile"]
    for path in files:
        for address in re.findall(r"https?://[^\s)>\"']+", path.read_text(encoding="utf-8")):
            assert re.match(r"https://(github\.com|llvm\.org|rocm\.docs\.amd\.com)/", address), f"{path}: {address}"
