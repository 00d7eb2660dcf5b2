"""libclang by ctypes: the few calls that reading needs, with cursors as plain structures. Missing, it is None."""

from __future__ import annotations

import ctypes
import functools
import importlib.util
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_longlong, c_uint, c_ulong, c_void_p
from pathlib import Path


class Cursor(Structure):
    """A place in a syntax tree (CXCursor)."""

    _fields_ = (("kind", c_int), ("xdata", c_int), ("data", c_void_p * 3))


class Location(Structure):
    """A source location (CXSourceLocation)."""

    _fields_ = (("data", c_void_p * 2), ("raw", c_uint))


class Range(Structure):
    """A source range (CXSourceRange); the top bit of an end marks a place in a macro expansion."""

    _fields_ = (("data", c_void_p * 2), ("begin", c_uint), ("end", c_uint))


class Text(Structure):
    """A string that libclang owns (CXString)."""

    _fields_ = (("data", c_void_p), ("flags", c_uint))


class Type(Structure):
    """A type (CXType)."""

    _fields_ = (("kind", c_int), ("data", c_void_p * 2))


class Unsaved(Structure):
    """A file in memory (CXUnsavedFile)."""

    _fields_ = (("name", c_char_p), ("contents", c_char_p), ("length", c_ulong))


_FILES = ("libclang.so", "libclang.dylib", "libclang.dll")
VISITOR = CFUNCTYPE(c_int, Cursor, Cursor, c_void_p)
FIELDS = CFUNCTYPE(c_int, Cursor, c_void_p)
MACRO_BIT = 0x80000000

_U = POINTER(c_uint)
_SIGNATURES = {
    "clang_createIndex": (c_void_p, (c_int, c_int)),
    "clang_parseTranslationUnit2": (
        c_int,
        (c_void_p, c_char_p, POINTER(c_char_p), c_int, POINTER(Unsaved), c_uint, c_uint, POINTER(c_void_p)),
    ),
    "clang_saveTranslationUnit": (c_int, (c_void_p, c_char_p, c_uint)),
    "clang_disposeTranslationUnit": (None, (c_void_p,)),
    "clang_getTranslationUnitCursor": (Cursor, (c_void_p,)),
    "clang_visitChildren": (c_uint, (Cursor, VISITOR, c_void_p)),
    "clang_getCursorExtent": (Range, (Cursor,)),
    "clang_getCursorLocation": (Location, (Cursor,)),
    "clang_getCursorSpelling": (Text, (Cursor,)),
    "clang_getCursorReferenced": (Cursor, (Cursor,)),
    "clang_getCursorType": (Type, (Cursor,)),
    "clang_getTypeSpelling": (Text, (Type,)),
    "clang_Type_getSizeOf": (c_longlong, (Type,)),
    "clang_Type_visitFields": (c_uint, (Type, FIELDS, c_void_p)),
    "clang_getCanonicalType": (Type, (Type,)),
    "clang_getArrayElementType": (Type, (Type,)),
    "clang_getArraySize": (c_longlong, (Type,)),
    "clang_getTypeDeclaration": (Cursor, (Type,)),
    "clang_getCursorDefinition": (Cursor, (Cursor,)),
    "clang_getSpecializedCursorTemplate": (Cursor, (Cursor,)),
    "clang_Cursor_getNumTemplateArguments": (c_int, (Cursor,)),
    "clang_Cursor_getTemplateArgumentKind": (c_int, (Cursor, c_uint)),
    "clang_Cursor_getTemplateArgumentType": (Type, (Cursor, c_uint)),
    "clang_Cursor_getTemplateArgumentValue": (c_longlong, (Cursor, c_uint)),
    "clang_isInvalidDeclaration": (c_uint, (Cursor,)),
    "clang_getCursorBinaryOperatorKind": (c_int, (Cursor,)),
    "clang_getCursorUnaryOperatorKind": (c_int, (Cursor,)),
    "clang_getCString": (c_char_p, (Text,)),
    "clang_disposeString": (None, (Text,)),
    "clang_getFileName": (Text, (c_void_p,)),
    "clang_getFile": (c_void_p, (c_void_p, c_char_p)),
    "clang_getLocationForOffset": (Location, (c_void_p, c_void_p, c_uint)),
    "clang_getRangeStart": (Location, (Range,)),
    "clang_getRangeEnd": (Location, (Range,)),
    "clang_getFileLocation": (None, (Location, POINTER(c_void_p), _U, _U, _U)),
    "clang_getNumDiagnostics": (c_uint, (c_void_p,)),
    "clang_getDiagnostic": (c_void_p, (c_void_p, c_uint)),
    "clang_getDiagnosticSeverity": (c_int, (c_void_p,)),
    "clang_getDiagnosticLocation": (Location, (c_void_p,)),
    "clang_getDiagnosticSpelling": (Text, (c_void_p,)),
    "clang_disposeDiagnostic": (None, (c_void_p,)),
    "clang_getClangVersion": (Text, ()),
}


class Library:
    """The loaded library: `call.clang_...` with declared types."""

    def __init__(self, path: str) -> None:
        self.call = ctypes.CDLL(path)
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(self.call, name)
            function.restype, function.argtypes = result, arguments

    def text(self, owned: Text) -> str:
        """The characters of a CXString, which is given back."""
        raw = self.call.clang_getCString(owned)
        self.call.clang_disposeString(owned)
        return raw.decode("utf-8", "replace") if raw else ""

    @property
    def version(self) -> str:
        """What it says of itself."""
        return self.text(self.call.clang_getClangVersion())


@functools.cache
def load() -> Library | None:
    """libclang, from the PyPI package; None where there is none, or one too old for what is asked of it."""
    path = _library()
    try:
        return None if path is None else Library(str(path))
    except (OSError, AttributeError):
        return None


def _library() -> Path | None:
    """The shared library inside the package, found without running the package: its import costs as much as a parse."""
    spec = importlib.util.find_spec("clang")
    folders = spec.submodule_search_locations if spec else None
    found = (Path(folder) / "native" / name for folder in folders or () for name in _FILES)
    return next((path for path in found if path.is_file()), None)
