"""ELF executables to the bytes of a program (doc/machine.md, "ELF", "Program digest")."""

import struct
from dataclasses import astuple

from . import blake2s
from .decode import decode
from .program import CLASSES, MAX_LOG_ENTRIES, MAX_LOG_WORDS, MIN_LOG_RAM, RAM, TEXT, VERSION, slot_pc
from .refusal import Refused

_LOAD, _DYNAMIC, _INTERPRETER, _NOTE = 1, 2, 3, 4
_EXECUTABLE, _WRITABLE = 1, 2
_SEGMENT = struct.Struct("<IIQQQQQQ")


def load(data):
    """The bytes of the program that an ELF file is."""
    try:
        header = struct.unpack_from("<HHIQQQIHHH", data, 16)
    except struct.error:
        raise Refused("the file is no ELF file") from None
    kind, machine, _, entry, at, _, flags, _, entry_size, count = header
    if data[:6] != b"\x7fELF\x02\x01" or (kind, machine) != (2, 243) or flags & 7:
        raise Refused("the file is no executable for riscv64im")
    segments = []
    for number in range(count):
        start = at + number * entry_size
        segment = data[start : start + _SEGMENT.size]
        if len(segment) < _SEGMENT.size:
            raise Refused("a program header is cut off")
        segments.append(_SEGMENT.unpack(segment))
    if any(kind in (_DYNAMIC, _INTERPRETER) for kind, *_ in segments):
        raise Refused("the executable is linked dynamically")
    text, ram = _spans(segments, data)
    log_advice = _log_advice(segments, data)
    return encode(entry, _text(text), _image(ram), log_advice, _log_ram(ram))


def encode(entry, text, image, log_advice, log_ram):
    """The bytes of a program; `text`: instruction words; `image`: words of RAM by index."""
    log_entries = (len(text) + len(CLASSES)).bit_length()
    if log_entries > MAX_LOG_ENTRIES:
        raise Refused(f"the text has {len(text)} words")
    halt = slot_pc((1 << log_entries) - 1)
    records = []
    for slot, word in enumerate(text):
        tag, a1, a2, ad, imm, *rest, exit_ = astuple(decode(word, slot_pc(slot), halt))
        records += [int.from_bytes(bytes([tag, a1, a2, ad, exit_, 0, 0, 0]), "little"), imm, *rest]
    pairs = [word for index in sorted(image) for word in (index, image[index])]
    sizes = [entry, halt, len(text), log_entries, log_ram, log_advice]
    parts = [VERSION, *map(blake2s.to_bytes, (sizes, records, pairs))]
    return b"".join(blake2s.to_bytes([len(part)]) + part for part in parts)


def _spans(segments, data):
    """The executable segments and the others: address, bytes, size."""
    text, ram = [], []
    for kind, flags, offset, address, _, file_size, size, _ in segments:
        if kind != _LOAD or size == 0:
            continue
        executable = flags & _EXECUTABLE
        start, limit = (TEXT, TEXT + (4 << MAX_LOG_ENTRIES)) if executable else (RAM, RAM + (8 << MAX_LOG_WORDS))
        if file_size > size or offset + file_size > len(data) or not start <= address <= address + size <= limit:
            raise Refused(f"the segment at {address:#x} does not fit")
        if executable and (flags & _WRITABLE or address % 4 or size % 4):
            raise Refused(f"the text segment at {address:#x} is writable, or no multiple of words")
        (text if executable else ram).append((address, data[offset : offset + file_size], size))
    for spans in (text, ram):
        spans.sort(key=lambda span: span[0])
        if any(a[0] + a[2] > b[0] for a, b in zip(spans, spans[1:])):
            raise Refused("segments overlap")
    if not text:
        raise Refused("the executable has no text")
    if sum(len(span) for _, span, _ in text + ram) > len(data):
        raise Refused("segments share bytes of the file")
    return text, ram


def _text(spans):
    """The instruction words from the beginning of the region; what no segment has is zero."""
    end = max(address + size for address, _, size in spans)
    memory = bytearray(end - TEXT)
    for address, data, _ in spans:
        memory[address - TEXT : address - TEXT + len(data)] = data
    return [word for (word,) in struct.iter_unpack("<I", memory)]


def _image(spans):
    """The words of RAM that are not zero, by index."""
    image = {}
    for address, data, _ in spans:
        for at, byte in enumerate(data, address - RAM):
            if byte:
                image[at // 8] = image.get(at // 8, 0) | byte << 8 * (at % 8)
    return image


def _log_ram(spans):
    end = max((address + size for address, _, size in spans), default=RAM)
    return max((-(-(end - RAM) // 8) - 1).bit_length(), MIN_LOG_RAM)


def _log_advice(segments, data):
    """log2 of the advice's words, from the one note of owner leanVM."""
    found = []
    for kind, _, offset, _, _, size, _, align in segments:
        if kind != _NOTE:
            continue
        notes = data[offset : offset + size]
        align = 8 if align == 8 else 4
        while len(notes) >= 12:
            name_size, content_size, note_type = struct.unpack_from("<III", notes)
            content_at = -(-(12 + name_size) // align) * align
            if content_at + content_size > len(notes):
                raise Refused("a note is cut off")
            if (notes[12 : 12 + name_size].rstrip(b"\0"), note_type) == (b"leanVM", 1):
                found.append(notes[content_at : content_at + content_size])
            notes = notes[-(-(content_at + content_size) // align) * align :]
    if len(found) != 1 or len(found[0]) != 8:
        raise Refused("the executable has not one note of owner leanVM with two words")
    version, log_words = struct.unpack("<II", found[0])
    if version != 1:
        raise Refused(f"the note of owner leanVM has version {version}")
    return log_words
