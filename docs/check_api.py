"""Fails if a library has lost public API since a commit.

    check_api.py SWIFT COMMIT ACCEPTED

SWIFT is the swift command, and ACCEPTED a file with a line for each accepted break, as this script prints it. Builds
the libraries of both versions. `swift package diagnose-api-breaking-changes` would also build all programs, and report
declarations of the access level package.
"""

import json
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(".build/api")


def output(*command, error=None):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=error, text=True).stdout


def exported(root, module):
    """The module and those that it re-exports."""
    found = {module}
    for file in (root / "Sources" / module).rglob("*.swift"):
        for other in re.findall(r"^@_exported public import (\w+)", file.read_text(), re.M):
            if (root / "Sources" / other).exists():
                found |= exported(root, other)
    return found


def declarations(swift, root, scratch, folder):
    """Writes the public declarations of each module of the libraries; returns the modules."""
    package = ["--package-path", root]
    products = json.loads(output(swift, "package", *package, "dump-package"))["products"]
    targets = sorted({target for product in products if "library" in product["type"] for target in product["targets"]})
    build = [swift, "build", *package, "--scratch-path", scratch]
    for target in targets:
        subprocess.run([*build, "--target", target], check=True, stdout=sys.stderr)
    binaries = pathlib.Path(output(*build, "--show-bin-path").strip())
    headers = [f"-I{path.parent}" for path in (root / "Sources").glob("C*/module.modulemap")]
    # Those that end with "-tool.build" are of the programs of plugins, and define the same modules.
    maps = [part for path in binaries.glob("C*.build/module.modulemap") if not path.parent.stem.endswith("-tool")
            for part in ("-Xcc", f"-fmodule-map-file={path}")]
    toolchain = pathlib.Path(json.loads(output(swift, "-print-target-info"))["paths"]["runtimeResourcePath"]).parents[1]
    digester = toolchain / "bin/swift-api-digester"
    folder.mkdir(parents=True, exist_ok=True)
    modules = sorted(set().union(*(exported(root, target) for target in targets)))
    for module in modules:
        file = folder / f"{module}.json"
        log = output(digester, "-dump-sdk", "-module", module, "-o", file, f"-I{binaries}/Modules", *headers, *maps,
                     error=subprocess.STDOUT)
        dump = public(json.loads(file.read_bytes()))
        # The exit status is 0 also if the module cannot be loaded.
        if not dump["ABIRoot"].get("children"):
            sys.exit(f"{root}: {module}: {log}")
        file.write_text(json.dumps(dump))
    return digester, modules


def public(node):
    """A node of the digester without the declarations that only this package sees."""
    if isinstance(node, list):
        return [public(item) for item in node if not (isinstance(item, dict) and item.get("isInternal"))]
    return {key: public(value) for key, value in node.items()} if isinstance(node, dict) else node


def main():
    swift, commit, accepted = sys.argv[1:]
    old = FOLDER / commit
    if not old.exists():
        old.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", commit], check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", old], check=True, input=archive)
    _, before = declarations(swift, old, FOLDER / "build", FOLDER / "before")
    digester, after = declarations(swift, pathlib.Path("."), pathlib.Path(".build"), FOLDER / "after")
    breaks = [f"{module}: the module has been removed" for module in before if module not in after]
    for module in (module for module in before if module in after):
        report = output(digester, "-diagnose-sdk", "-input-paths", FOLDER / "before" / f"{module}.json",
                        "-input-paths", FOLDER / "after" / f"{module}.json", error=subprocess.STDOUT)
        lines = [line for line in report.splitlines() if line and not line.startswith("/*")]
        breaks += [f"{module}: {line}" for line in lines]
    known = {line for line in pathlib.Path(accepted).read_text().splitlines() if line and not line.startswith("#")}
    for line in sorted(known - set(breaks)):
        print(f"{accepted}: no such break: {line}", file=sys.stderr)
    for line in breaks:
        if line not in known:
            print(f"API break: {line}", file=sys.stderr)
    sys.exit(set(breaks) != known)


main()
