//! Boolean circuits over 64-bit ports: gate lists, word gadgets, walks, dumps and counts.
