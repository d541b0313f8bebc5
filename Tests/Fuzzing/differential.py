"""Compares our decoders with Python's protobuf (upb): acceptance of inputs, and output bytes.

Inputs are generated from the fields of a type, including unusual encodings, or mutated from the
corpus. Both sides encode what they decoded; upb does so deterministically, so the bytes can be
compared. The same seed gives the same inputs.

    differential.py FUZZ [--seconds N] [--seed N] [--inputs FOLDER...]
"""

import argparse
import os
import pathlib
import random
import struct
import subprocess
import sys
import time

from google.protobuf import json_format
from google.protobuf.message import DecodeError

import generate
import legitimate
import types_under_test

BATCH = 500


def ask(fuzz, questions):
    """Our answers: (accepted, bytes) for each question."""
    text = b"".join(
        kind + bytes([index]) + struct.pack("<I", len(data)) + data
        for kind, index, data in questions
    )
    environment = {**os.environ, "TARGET": "answer", "SWIFT_BACKTRACE": "enable=no"}
    done = subprocess.run([fuzz], input=text, capture_output=True, env=environment, check=False)
    answers, offset = [], 0
    while offset + 5 <= len(done.stdout):
        accepted, length = struct.unpack_from("<BI", done.stdout, offset)
        answers.append((accepted == 1, done.stdout[offset + 5 : offset + 5 + length]))
        offset += 5 + length
    if len(answers) != len(questions):
        kind, index, data = questions[len(answers)]
        name = types_under_test.NAMES[index]
        sys.exit(
            f"crashed or stopped at {kind} {name} {data.hex()}\n{done.stderr.decode()[-2000:]}"
        )
    return answers


class Comparison:
    """One kind of comparison: a question for our side, and the answer of upb."""

    def __init__(self):
        self.compared = self.accepted = self.excused = 0
        self.differences = []

    def check(self, index, data, ours):
        accepted, output = ours
        theirs, error = self.theirs(index, data)
        self.compared += 1
        self.accepted += accepted
        if accepted == (theirs is not None) and (not accepted or self.same(output, theirs)):
            return
        known = types_under_test.CLASSES[index]
        if self.excuse(known, data, output if accepted else None, theirs, output):
            self.excused += 1
            return
        self.differences.append(
            f"{type(self).__name__} {types_under_test.NAMES[index]} {self.show(data)}\n"
            f"  ours:   {self.show(output) if accepted else 'refused: ' + output.decode()}\n"
            f"  theirs: {'refused: ' + error if theirs is None else self.show(theirs)}"
        )

    def same(self, ours, theirs):
        return ours == theirs


class Binary(Comparison):
    """Binary in, binary out."""

    question, form = b"b", "pb"
    excuse = staticmethod(legitimate.binary)
    show = staticmethod(bytes.hex)

    def make(self, chance, index, seeds):
        return generate.binary(chance, types_under_test.CLASSES[index].DESCRIPTOR, seeds)

    def theirs(self, index, data):
        message = types_under_test.CLASSES[index]()
        try:
            message.ParseFromString(data)
        except DecodeError as error:
            return None, str(error)
        return message.SerializeToString(deterministic=True), ""


class JSON(Comparison):
    """JSON in, binary out."""

    question, form = b"j", "json"
    excuse = staticmethod(legitimate.json)

    @staticmethod
    def show(data):
        return repr(data)

    def make(self, chance, index, seeds):
        return generate.json(chance, types_under_test.CLASSES[index], seeds)

    def theirs(self, index, data):
        message = types_under_test.CLASSES[index]()
        try:
            json_format.Parse(data, message, descriptor_pool=types_under_test.POOL)
            return message.SerializeToString(deterministic=True), ""
        except (json_format.ParseError, UnicodeDecodeError, RecursionError, ValueError) as error:
            return None, str(error)


class Written(Comparison):
    """Binary in, JSON out, which upb must read as the same message."""

    question, form = b"w", "pb"
    excuse = staticmethod(legitimate.written)

    @staticmethod
    def show(data):
        return repr(data)

    def make(self, chance, index, seeds):
        return generate.binary(chance, types_under_test.CLASSES[index].DESCRIPTOR, seeds)

    def theirs(self, index, data):
        message = types_under_test.CLASSES[index]()
        try:
            message.ParseFromString(data)
            return json_format.MessageToJson(
                message, indent=None, ensure_ascii=False, descriptor_pool=types_under_test.POOL
            ).encode(), ""
        except (DecodeError, json_format.SerializeToJsonError, TypeError, ValueError) as error:
            return None, str(error)

    def same(self, ours, theirs):
        return legitimate.is_same(ours, theirs)


def seeds_from(folders, form):
    """Files by the index of their type, which is their first byte."""
    seeds = {}
    for folder in folders:
        for path in sorted(pathlib.Path(folder, form).glob("[!.]*")):
            data = path.read_bytes()
            if data and len(data) < 20_000:
                index = data[0] % len(types_under_test.NAMES)
                seeds.setdefault(index, []).append(data[1:])
    return seeds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("fuzz", help="the program built from Sources/Fuzz")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=20, help="stop after this many differences")
    parser.add_argument("--only", choices=["Binary", "JSON", "Written"])
    parser.add_argument("--inputs", nargs="*", default=[], help="folders with pb and json")
    options = parser.parse_args()

    chance = random.Random(options.seed)
    ways = [way() for way in (Binary, JSON, Written) if options.only in (None, way.__name__)]
    all_seeds = {form: seeds_from(options.inputs, form) for form in ("pb", "json")}
    end = time.monotonic() + options.seconds
    first = True
    while time.monotonic() < end and not any(len(w.differences) >= options.most for w in ways):
        for way in ways:
            seeds = all_seeds[way.form]
            # First the unchanged corpus, then mutated and generated inputs.
            if first:
                inputs = [(index, data) for index, some in seeds.items() for data in some]
            else:
                indices = [chance.randrange(len(types_under_test.NAMES)) for _ in range(BATCH)]
                inputs = [(i, way.make(chance, i, seeds.get(i, []))) for i in indices]
            answers = ask(options.fuzz, [(way.question, i, data) for i, data in inputs])
            for (index, data), answer in zip(inputs, answers, strict=True):
                way.check(index, data, answer)
        first = False

    for way in ways:
        for difference in way.differences[: options.most]:
            print(difference)
        print(
            f"{type(way).__name__}: {way.compared} inputs compared with upb, {way.accepted} of them "
            f"accepted, {way.excused} legitimately different, {len(way.differences)} differ"
        )
    return any(way.differences or not way.compared for way in ways)


if __name__ == "__main__":
    sys.exit(main())
