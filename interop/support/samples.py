"""The Swift samples of README.md and of the articles, as one program.

The files of interop/samples are the context of the samples. A comment `// sample ARTICLE` stands for the next
sample of that article. Each function without parameters is a command of the program.
"""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from support.paths import INTEROP

ROOT = INTEROP.parent
CONTEXTS = INTEROP / "samples"
# The addresses of the samples that cannot be those of the test. A proxy leads to the others.
ADDRESSES = {
    '"127.0.0.1:50051"': "endpoint", '"127.0.0.1:8080"': '"127.0.0.1:0"',
    '"https://backend.example/': '"\\(backend)/', '"https://example.com/': '"\\(backend)/'}
LIBRARIES = ["-lnghttp2", "-lssl", "-lcrypto", "-lz", "-levent", "-lnats", "-lsqlite3", "-lexpat"]


@dataclass
class Sample:
    """A code block of an article."""

    path: Path
    line: int
    code: str

    @property
    def is_manifest(self):
        """Whether it is a part of a Package.swift."""
        return self.code.startswith(".package(")

    @property
    def imports(self):
        return re.findall(r"^import \w+", self.code, re.M)

    @property
    def compiled(self):
        """The code in a function of a test: without imports and ellipses, with the addresses of the test."""
        code = re.sub(r"^import \w+", "", self.code, flags=re.M)
        code = code.replace("{ … }", "{}")
        for documented, actual in ADDRESSES.items():
            code = code.replace(documented, actual)
        return f'#sourceLocation(file: "{self.path}", line: {self.line})\n{code}#sourceLocation()\n'

    @property
    def output(self):
        """The lines that the comments after `print` say that it prints."""
        return re.findall(r"print\(.*\)(?: \})*(?:  |\n *)(?://|#) (.+)$", self.code, re.M)


def articles():
    """The README and the articles, by name."""
    paths = [ROOT / "README.md", *ROOT.glob("Sources/*/*.docc/**/*.md")]
    found = {path.stem: path for path in paths}
    assert len(found) == len(paths)
    return found


def samples(path, language="swift"):
    text = path.read_text()
    return [Sample(path.relative_to(ROOT), text[:block.start(2)].count("\n") + 1, block[2])
            for block in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S) if block[1] == language]


def says(article_line, line):
    """Whether a line is the one in an article, in which an ellipsis stands for any text."""
    return re.fullmatch(".*".join(map(re.escape, article_line.split("…"))), line) is not None


class Program:
    """The contexts with their samples."""

    def __init__(self):
        self._unused = {}
        for article, path in articles().items():
            if found := [sample for sample in samples(path) if not sample.is_manifest]:
                self._unused[article] = found
        self.output = {}
        """The lines that each command prints according to the articles."""
        self.files = {path.name: self._complete(path) for path in sorted(CONTEXTS.glob("*.swift"))}
        self.files["main.swift"] = self._main()
        self.unplaced = {article: len(left) for article, left in self._unused.items() if left}

    def _complete(self, path):
        """Returns the text of a context with its samples."""
        imports, lines, command = [], [], None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if declared := re.match(r"(?:@MainActor )?func (\w+)\(\)[^>]*$", line):
                command = declared[1]
                self.output[command] = []
            elif line == "}":
                command = None
            if marked := re.fullmatch(r" *// sample (\w+)", line):
                sample = self._next(marked[1], path)
                imports += sample.imports
                if command:
                    self.output[command] += sample.output
                line = f'{sample.compiled}#sourceLocation(file: "{path.name}", line: {number})'
            lines.append(line)
        return "\n".join([*dict.fromkeys(imports), *lines]) + "\n"

    def _next(self, article, path):
        left = self._unused.get(article)
        assert left, f"{path.name} has more places than {article} has samples"
        return left.pop(0)

    def _main(self):
        cases = "".join(f'  case "{command}": try await {command}()\n' for command in self.output)
        return ("do {\n  switch CommandLine.arguments.last {\n" + cases + "  default: fail(\"no such command\")\n"
                "  }\n} catch {\n  fail(\"error: \\(error)\")\n}\n")

    def build(self, folder, build, mode, generated):
        """Compiles the program in a language mode of Swift; returns its path.

        `build` is the folder of the built modules, and `generated` lists the Swift files for the samples' protos.
        """
        folder.mkdir()
        for name, text in self.files.items():
            (folder / name).write_text(text)
        program = folder / "samples"
        done = subprocess.run(
            ["swiftc", "-swift-version", mode, "-suppress-warnings", "-Onone", "-module-name", "Samples",
             "-o", program, *(folder / name for name in self.files), *generated,
             *search_paths(build), *objects(build), *LIBRARIES],
            capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return program


def search_paths(build):
    sources = ROOT / "Sources"
    libraries = "COpenSSL", "CNghttp2", "CZlib", "CEvent", "CNats"
    paths = [build / "Modules", *(sources / name for name in libraries)]
    maps = [build / f"{name}.build/module.modulemap" for name in ("CWireShims", "CSpawn", "CCurl")]
    return [*(f"-I{path}" for path in paths),
            *(part for map in maps for part in ("-Xcc", f"-fmodule-map-file={map}"))]


def objects(build):
    """The object files of the libraries, as they are linked into the Swift tests."""
    names = {folder.name for folder in (ROOT / "Sources").iterdir()} - {"TripwireCLI"}
    listed = (build / "tripwirePackageTests.product/Objects.LinkFileList").read_text().splitlines()
    return [path for path in listed if Path(path).parent.name.removesuffix(".build") in names]
