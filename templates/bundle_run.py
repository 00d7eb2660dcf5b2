"""Runs this bundle's cases on the AMD GPU of this machine: `python3 run.py -o recording.safetensors`.

Needs Python 3.8 and ROCm's hipcc, and nothing else. `--device isa:gfx950` runs it on a CPU instead, where hipport is
installed. Exit codes: 0 all ran, 3 a case failed, 5 it could not be tested (no GPU, no hipcc).
"""

import argparse
import glob
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROCM = os.environ.get("ROCM_PATH", "/opt/rocm")
REPEATS = "20"
SECONDS = 600
DONE, FAILED, UNTESTED = 0, 3, 5


def amd_gpus():
    """The AMD GPUs that the kernel driver lists."""
    found = []
    for name in sorted(glob.glob("/sys/class/kfd/kfd/topology/nodes/*/properties")):
        with open(name) as stream:
            match = re.search(r"^gfx_target_version (\d+)$", stream.read(), re.MULTILINE)
        number = int(match.group(1)) if match else 0
        if number:
            found.append("gfx%d%x%x" % (number // 10000, number // 100 % 100, number % 100))
    return found


def stop(text, code):
    sys.stderr.write("run.py: %s\n" % text)
    sys.exit(code)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--out", default="recording.safetensors")
    parser.add_argument("--device", default="hip")
    asked = parser.parse_args()
    with open(os.path.join(HERE, "manifest.json")) as stream:
        manifest = json.load(stream)
    if asked.device != "hip":
        try:
            from hipport.diffing.bundle import run_here
        except ImportError:
            stop("%s needs hipport: pip install hipport[verify]" % asked.device, UNTESTED)
        sys.exit(run_here(HERE, asked.device, asked.out))
    gpus = amd_gpus()
    if not gpus:
        stop("no AMD GPU is here: nothing was tested", UNTESTED)
    hipcc = shutil.which("hipcc") or shutil.which("hipcc", path=os.path.join(ROCM, "bin"))
    if not hipcc:
        stop("no hipcc is here: put ROCm's bin on PATH, or set ROCM_PATH", UNTESTED)
    tensors, rows, failed = {}, [], False
    with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
        for case in manifest["cases"]:
            runner = program if case["kind"] == "program" else kernel
            points = runner(case, hipcc, gpus[0], scratch, tensors)
            failed = failed or any(point["problem"] for point in points)
            kept = {key: case[key] for key in ("name", "kind", "contract", "source", "floor", "unordered", "rules")}
            rows.append(dict(kept, points=points))
            good = sum(1 for point in points if not point["problem"])
            print("%s: %d of %d points on %s" % (case["name"], good, len(points), gpus[0]))
            for point in points:
                if point["problem"]:
                    print("  %s" % point["problem"])
    version = said([hipcc, "--version"])
    header = {
        "schema": "hipport.recording/1",
        "device": "hip",
        "cases": rows,
        "target": gpus[0],
        "bundle": manifest["bundle"],
    }
    header.update(compiler=version.strip().splitlines()[:1], fidelity="the machine itself", hipport=manifest["hipport"])
    write(asked.out, tensors, {"hipport": json.dumps(header, sort_keys=True)})
    print("written to %s: send it back" % asked.out)
    sys.exit(FAILED if failed else DONE)


def said(words):
    try:
        return subprocess.run(words, stdout=subprocess.PIPE, universal_newlines=True, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def kernel(case, hipcc, gpu, scratch, tensors):
    """Build the driver of one kernel and launch it with each of its arguments."""
    driver = os.path.join(scratch, case["name"])
    words = [hipcc, "-O3", "-std=c++17", "--offload-arch=" + gpu]
    words += ["-I" + os.path.join(HERE, place) for place in case["include"]] + case["options"]
    ran = subprocess.run(
        [*words, os.path.join(HERE, case["driver"]), "-o", driver], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if ran.returncode:
        text = "it does not compile: " + ran.stdout.decode("utf-8", "replace").strip()[-2000:]
        return [dict(point_of(launch), problem=text, untested=False) for launch in case["points"]]
    return [launched(case, at, launch, driver, scratch, tensors) for at, launch in enumerate(case["points"])]


def point_of(launch):
    return {key: launch[key] for key in ("sizes", "family", "layout", "seed", "inputs")}


def launched(case, at, launch, driver, scratch, tensors):
    row = dict(point_of(launch), problem="", untested=False)
    file = os.path.join(scratch, "arguments.bin")
    shutil.copyfile(os.path.join(HERE, launch["arguments"]), file)
    words = [driver, file] + [str(n) for n in launch["grid"] + launch["block"] + [launch["shared"]]] + [REPEATS]
    try:
        ran = subprocess.run(words, cwd=scratch, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return dict(row, problem="it was ended after %d s" % SECONDS, untested=True)
    if ran.returncode:
        last = ran.stdout.decode("utf-8", "replace").strip().splitlines()[-1:] or ["exit code %d" % ran.returncode]
        return dict(row, problem="gpu: " + last[0])
    with open(file, "rb") as stream, open(os.path.join(HERE, launch["arguments"]), "rb") as before:
        return dict(row, **outputs(case, at, launch, stream, before, tensors), seconds=[seconds(scratch), 0.0])


def seconds(scratch):
    with open(os.path.join(scratch, "seconds.txt")) as stream:
        return float(stream.read())


def outputs(case, at, launch, stream, before, tensors):
    """The arrays of a launch's arguments file as entries of a recording."""
    found, overwritten = {}, []
    for slot in launch["slots"]:
        stream.seek(slot["offset"])
        before.seek(slot["offset"])
        data = stream.read(slot["size"])
        if slot["role"] == "in":
            overwritten += [slot["name"]] if data != before.read(slot["size"]) else []
            continue
        key = "%s/%d/%s" % (case["name"], at, slot["name"])
        tensors[key] = ("U8", [len(data)], data)
        for name, entry in slot["entries"].items():
            found["forward/" + name] = dict(entry, key=key)
    fixed = {"copies": [], "fidelity": "exact", "approximate": []}
    return dict(fixed, outputs=found, overwritten=overwritten)


def program(case, hipcc, gpu, scratch, tensors):
    """Build the whole program in a copy and run it."""
    folder = os.path.join(scratch, case["name"])
    shutil.copytree(os.path.join(HERE, case["folder"]), folder)
    row = dict(point_of(case["points"][0]), problem="", untested=False)
    if any(os.path.isfile(os.path.join(folder, name)) for name in ("GNUmakefile", "makefile", "Makefile")):
        build = ["make", "HIPCC=" + hipcc, "ROCM_PATH=" + ROCM, "HIP_PATH=" + ROCM] + case["make"]
    else:
        sources = [
            os.path.join(base, n)
            for base, _, names in os.walk(folder)
            for n in names
            if n.endswith((".hip", ".cpp", ".cc", ".cu"))
        ]
        build = (
            [hipcc, "-O3", "-std=c++17", "--offload-arch=" + gpu, "-I."] + case["options"] + sources + ["-o", "program"]
        )
    ran = subprocess.run(build, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    made = [
        os.path.join(base, n) for base, _, names in os.walk(folder) for n in names if is_program(os.path.join(base, n))
    ]
    if ran.returncode or not made:
        return [dict(row, problem="it does not build: " + ran.stdout.decode("utf-8", "replace").strip()[-2000:])]
    try:
        ran = subprocess.run(
            [made[0]] + case["args"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return [dict(row, problem="it was ended after %d s" % SECONDS, untested=True)]
    data = {
        "stdout": ("U8", [len(ran.stdout)], ran.stdout),
        "exit status": ("I32", [1], struct.pack("<i", ran.returncode)),
    }
    for name in case["rules"]["files"]:
        if os.path.isfile(os.path.join(folder, name)):
            with open(os.path.join(folder, name), "rb") as stream:
                text = stream.read()
            data["file " + name] = ("U8", [len(text)], text)
    found = {}
    for name, value in data.items():
        key = "%s/0/forward/%s" % (case["name"], name)
        tensors[key] = value
        found["forward/" + name] = {"key": key, "dtype": "int32" if value[0] == "I32" else "uint8"}
    fixed = {"copies": [], "overwritten": [], "fidelity": "exact", "approximate": [], "seconds": [0.0, 0.0]}
    return [dict(row, outputs=found, **fixed)]


def is_program(path):
    if not (os.path.isfile(path) and os.access(path, os.X_OK)) or path.endswith((".o", ".so")):
        return False
    with open(path, "rb") as stream:
        return stream.read(4) == b"\x7fELF"


def write(path, tensors, metadata):
    """A safetensors file: the length of a JSON header, the header, the bytes."""
    header, at = {"__metadata__": metadata}, 0
    for name, (dtype, shape, data) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as stream:
        stream.write(struct.pack("<Q", len(text)) + text)
        for _, _, data in tensors.values():
            stream.write(data)


if __name__ == "__main__":
    main()
