"""Random changes of bytes."""

# Varints and lengths at their limits, tags that no field has, and texts that are special in paths and JSON.
PIECES = [b"\xff" * 9 + b"\x01", b"\xff\xff\xff\xff\x0f", b"\x80\x80\x80\x80\x00", b"\x00", b"\x07", b"\x0b", b"\x0c",
          b"\xf8\xff\xff\xff\x0f", b"%2F", b"%00", b"..", b"//", b"?a=b&a=c", b":", b"{", b"[" * 200, b'"', b"1e999",
          b"null", "\u0301\U0001f600".encode(), b"\xed\xa0\x80"]


def mutated(data, dice):
    """Returns bytes with one to four random changes; sometimes others altogether."""
    if dice.random() < 0.05:
        return dice.randbytes(dice.randrange(200))
    data = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        at, length = dice.randint(0, len(data)), dice.randrange(1, 9)
        change = dice.randrange(5)
        if change == 0:
            data[at:at + 1] = bytes([dice.randrange(256)])
        elif change == 1:
            data[at:at] = dice.choice(PIECES)
        elif change == 2:
            del data[at:at + length]
        elif change == 3:
            data[at:at] = data[at:at + length] * dice.choice([1, 2, 50])
        else:
            data[at:] = b""
    return bytes(data)
