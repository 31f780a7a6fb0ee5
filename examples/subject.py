#!/usr/bin/env python3
"""A subject in another language: Parquet DECIMAL in plain Python, for `bytetwin check --program`.

    bytetwin check decimal --program 'subject=python3 examples/subject.py' --subjects subject

Written from docs/protocol.md alone. `--bug sign` leaves out the sign octet of a positive value whose highest bit is set;
`--bug endless` never ends on a column of three such values or more.
"""

import io
import struct
import sys

INT32, INT64, BYTE_ARRAY, FIXED = range(4)
I32, I64, I128, I256, BIG_INT, RUST_DECIMAL = range(6)
BITS = {I32: 32, I64: 64, I128: 128, I256: 256}
BUG = sys.argv[2] if sys.argv[1:2] == ["--bug"] else None


class Refused(Exception):
    """An error of the codec: an answer like any other."""


def read_leb(case):
    number = shift = 0
    while True:
        octet = case.read(1)[0]
        number |= (octet & 0x7F) << shift
        shift += 7
        if octet < 0x80:
            return number


def leb(number):
    octets = bytearray()
    while number >= 0x80:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    octets.append(number)
    return bytes(octets)


def fewest(value):
    """Two's complement, big-endian."""
    return value.to_bytes((value if value >= 0 else ~value).bit_length() // 8 + 1, "big", signed=True)


class Column:
    """The parameters of a case."""

    def __init__(self, case):
        self.precision, self.scale = read_leb(case), read_leb(case)
        self.type = case.read(1)[0]
        self.width = {INT32: 4, INT64: 8}.get(self.type)
        if self.type == FIXED:
            self.width = read_leb(case)
        choices = case.read(1)[0]
        self.checked, self.rounding, self.form = choices % 2 == 0, choices // 2 % 3, choices // 6
        self.count = read_leb(case) - 1

    def check(self):
        if self.type == BYTE_ARRAY:
            digits = self.precision
        elif self.type == FIXED:
            digits = len(str(2 ** (8 * self.width - 1) - 1)) - 1 if self.width else 0
        else:
            digits = 9 if self.type == INT32 else 18
        if not 1 <= self.precision <= digits or self.scale > self.precision:
            raise Refused("no column")

    # Values in the byte form of a case: numbers, or numbers with a scale of their own.

    def read_values(self, case):
        return [self.read_value(case) for _ in range(read_leb(case))]

    def read_value(self, case):
        if self.form in (I32, I64, I128):
            number = read_leb(case)
            return number >> 1 if number % 2 == 0 else -(number + 1 >> 1)
        if self.form in (I256, BIG_INT):
            return int.from_bytes(case.read(read_leb(case)), "big", signed=True)
        flags = case.read(1)[0]
        magnitude = read_leb(case)
        return self.rescaled(-magnitude if flags & 1 else magnitude, flags >> 1)

    def rescaled(self, unscaled, scale):
        """The value at the scale of the column; None when that loses digits."""
        if scale <= self.scale:
            return unscaled * 10 ** (self.scale - scale)
        quotient, rest = divmod(abs(unscaled), 10 ** (scale - self.scale))
        if self.rounding == 0 and rest:
            return None
        twice, one = 2 * rest, 10 ** (scale - self.scale)
        if self.rounding == 2 and (twice > one or twice == one and quotient % 2):
            quotient += 1
        return -quotient if unscaled < 0 else quotient

    def written(self, value):
        if self.form in (I32, I64, I128):
            return leb(2 * value if value >= 0 else -2 * value - 1)
        if self.form in (I256, BIG_INT):
            octets = fewest(value)
            return leb(len(octets)) + octets
        return bytes([2 * self.scale + (value < 0)]) + leb(abs(value))

    # The encoding.

    def encoded(self, value):
        if value is None or self.checked and abs(value) >= 10**self.precision:
            raise Refused("digits")
        octets = fewest(value)
        if self.type == BYTE_ARRAY:
            if BUG == "sign" and len(octets) > 1 and octets[0] == 0:
                octets = octets[1:]
            return struct.pack("<I", len(octets)) + octets
        if len(octets) > self.width:
            raise Refused("width")
        return value.to_bytes(self.width, "big" if self.type == FIXED else "little", signed=True)

    def length(self, values):
        self.check()
        if self.width is not None:
            return self.width * len(values)
        return sum(len(self.encoded(value)) for value in values)

    def encode(self, values, room):
        if BUG == "endless":
            while sum(value is not None and value > 0 and fewest(value)[0] == 0 for value in values) > 2:
                pass
        if self.length(values) > room:
            raise Refused("room")
        return b"".join(self.encoded(value) for value in values)

    def decode(self, octets):
        """The values, and how many octets they took."""
        self.check()
        if self.form == RUST_DECIMAL and self.scale > 28:
            raise Refused("scale")
        values, at = [], 0
        while len(values) < self.count or self.count < 0 and at < len(octets):
            width, start = self.width, at
            if self.type == BYTE_ARRAY:
                start = at + 4
                if start > len(octets):
                    raise Refused("end")
                (width,) = struct.unpack("<I", octets[at:start])
                if width == 0:
                    raise Refused("empty")
            at = start + width
            if at > len(octets):
                raise Refused("end")
            order = "little" if self.type in (INT32, INT64) else "big"
            value = int.from_bytes(octets[start:at], order, signed=True)
            bits = BITS.get(self.form)
            if bits and not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
                raise Refused("form")
            if self.form == RUST_DECIMAL and abs(value) >= 2**96:
                raise Refused("form")
            if self.checked and abs(value) >= 10**self.precision:
                raise Refused("digits")
            values.append(value)
        return values, at


def answer(kind, case, room, fill):
    """Count and data of a reply."""
    head = case.read(3)
    assert head[:2] == b"\1\1" and head[2] == (kind == 2), head
    column = Column(case)
    if kind == 2:
        for _ in range(read_leb(case)):
            read_leb(case)
        values, consumed = column.decode(case.read())
        return consumed, leb(len(values)) + b"".join(map(column.written, values))
    case.read(1)
    read_leb(case)
    for _ in range(read_leb(case)):
        read_leb(case)
    values = column.read_values(case)
    if kind == 0:
        return column.length(values), b""
    octets = column.encode(values, room)
    return len(octets), octets + bytes([fill]) * (room - len(octets))


def main():
    ask, tell = sys.stdin.buffer, sys.stdout.buffer
    if ask.readline() != b"bytetwin 1 decimal\n":
        tell.write(b"unknown\n")
        return
    tell.write(b"bytetwin 1 subject.py\n")
    tell.flush()
    while head := ask.read(13):
        kind, length, room, fill = struct.unpack("<BIII", head)
        try:
            count, data = answer(kind, io.BytesIO(ask.read(length)), room, fill)
            reply, text = 1, b""
        except Refused as error:
            reply, count, text, data = 3, 0, str(error).encode(), b""
        tell.write(struct.pack("<BQI", reply, count, len(text)) + text + struct.pack("<I", len(data)) + data)
        tell.flush()


main()
