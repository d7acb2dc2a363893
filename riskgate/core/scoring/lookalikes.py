"""Letters of other alphabets that are drawn like Latin ones, and nothing more: a small table on purpose.

Only shapes that pass for the Latin letter in common fonts are here, so that text in these alphabets stays
mostly what it is. Full-width letters, ligatures and the mathematical alphabets need no line: NFKC folds
them.
"""

_CYRILLIC = {
    "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "ҽ": "e", "һ": "h", "і": "i", "ј": "j", "к": "k", "ӏ":
    "l", "м": "m", "н": "h", "п": "n", "о": "o", "р": "p", "ԛ": "q", "г": "r", "ѕ": "s", "т": "t", "ц": "u",
    "у": "y", "ѵ": "v", "ԝ": "w", "х": "x", "А": "A", "В": "B", "С": "C", "Е": "E", "Ԍ": "G", "Н": "H", "І":
    "I", "Ј": "J", "К": "K", "Ӏ": "I", "М": "M", "О": "O", "Р": "P", "Ԛ": "Q", "Ѕ": "S", "Т": "T", "Ѵ": "V",
    "Ԝ": "W", "Х": "X", "У": "Y", "Ү": "Y", "ү": "y", "Ѡ": "W", "ѡ": "w", "ө": "o", "Ө": "O", "ԍ": "g",
}  # fmt: skip

_GREEK = {
    "α": "a", "β": "b", "ϲ": "c", "ε": "e", "η": "n", "ι": "i", "ϳ": "j", "κ": "k", "ν": "v", "ο": "o", "ρ":
    "p", "τ": "t", "υ": "u", "χ": "x", "γ": "y", "ω": "w", "σ": "o", "Α": "A", "Β": "B", "Ϲ": "C", "Ε": "E",
    "Ζ": "Z", "Η": "H", "Ι": "I", "Ϳ": "J", "Κ": "K", "Μ": "M", "Ν": "N", "Ο": "O", "Ρ": "P", "Τ": "T", "Υ":
    "Y", "Χ": "X",
}  # fmt: skip

_ARMENIAN = {
    "ա": "w", "գ": "q", "զ": "q", "հ": "h", "յ": "j", "ո": "n", "ռ": "n", "ս": "u", "ց": "g", "ւ": "i", "օ":
    "o", "ք": "p", "ե": "t", "Լ": "L", "Հ": "C", "Ս": "U", "Տ": "S", "Օ": "O",
}  # fmt: skip

_LATIN = {
    "ı": "i",
    "ȷ": "j",
    "ɑ": "a",
    "ɡ": "g",
    "ɩ": "i",
    "ɪ": "i",
    "ʏ": "y",
    "ᴏ": "o",
    "ꜱ": "s",
    "ᴅ": "d",
    "ᴇ": "e",
}

LOOKALIKES: dict[str, str] = {**_CYRILLIC, **_GREEK, **_ARMENIAN, **_LATIN}

STROKED = {
    "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ø": "o", "Ø": "O", "ħ": "h", "Ħ": "H", "ŧ": "t", "Ŧ": "T",
    "ƀ": "b", "ɇ": "e", "ɨ": "i", "ɍ": "r", "ⱡ": "l",
}  # fmt: skip
"""Latin letters with a stroke, which NFKD leaves whole. They are at home in many languages, so that they
read like the plain letter disguises nothing.
"""
