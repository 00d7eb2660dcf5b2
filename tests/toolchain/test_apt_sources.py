"""The machine's apt sources in both formats, mirrors and keys included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.toolchain.aptsources import Source, main_archive, parse_deb822, parse_list, read_sources

if TYPE_CHECKING:
    from pathlib import Path

ONE_LINE = """# a comment
deb http://mirror.example/debian bookworm main contrib  # trailing
deb-src http://mirror.example/debian bookworm main
deb [ arch=amd64,arm64 signed-by=/k.gpg ] https://mirror.example/sec bookworm-security main
  # deb http://off.example/debian bookworm main
deb\tcdrom:[Debian]/ bookworm main
deb http://flat.example/ ./
"""
DEB822 = """# comment
Types: deb deb-src
URIs: http://one.example/debian http://two.example/debian
Suites: bookworm bookworm-updates
# a comment between fields
Components: main
  contrib
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc
 -----END PGP PUBLIC KEY BLOCK-----
Architectures: amd64

Types: deb
URIs: http://off.example/debian
Suites: bookworm
Components: main
Enabled: no

Types: deb-src
URIs: http://src.example/debian
Suites: bookworm
Components: main
X-Repolib-Name: mine
"""


def test_one_line_sources() -> None:
    found = parse_list(ONE_LINE)
    assert found[0] == Source("http://mirror.example/debian", ("bookworm",), ("main", "contrib"))
    assert found[1] == Source(
        "https://mirror.example/sec",
        ("bookworm-security",),
        ("main",),
        (("Architectures", "amd64 arm64"), ("Signed-By", "/k.gpg")),
    )
    assert found[-1] == Source("http://flat.example/", ("./",), ())
    assert not any("off.example" in source.uri for source in found)


def test_deb822_sources_with_a_key_block() -> None:
    one, two = parse_deb822(DEB822)
    assert (one.uri, two.uri) == ("http://one.example/debian", "http://two.example/debian")
    assert one.suites == ("bookworm", "bookworm-updates")
    assert one.components == ("main", "contrib")
    options = dict(one.options)
    assert options["Architectures"] == "amd64"
    assert options["Signed-By"].splitlines()[-1] == " -----END PGP PUBLIC KEY BLOCK-----"


def test_a_stanza_is_read_back_as_it_was() -> None:
    for source in [*parse_list(ONE_LINE)[:2], *parse_deb822(DEB822)]:
        assert parse_deb822(source.stanza()) == [source]
        (other,) = parse_deb822(source.stanza(("experimental",)))
        assert (other.uri, other.suites, other.options) == (source.uri, ("experimental",), source.options)


def test_the_archive_is_known_by_its_suite_and_not_by_its_address(tmp_path: Path) -> None:
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list").write_text("deb http://x.example/extras stable-extras main\n", encoding="utf-8")
    text = "Types: deb\nURIs: http://proxy.example/any/path\nSuites: trixie\nComponents: main\n"
    (tmp_path / "sources.list.d" / "debian.sources").write_text(text, encoding="utf-8")
    (tmp_path / "sources.list.d" / "other.list").write_text("deb http://y.example/ bookworm main\n", encoding="utf-8")
    found = main_archive(read_sources(tmp_path), "trixie")
    assert found is not None
    assert found.uri == "http://proxy.example/any/path"
    assert main_archive(read_sources(tmp_path), "noble") is None
    assert read_sources(tmp_path / "nothing") == ()
