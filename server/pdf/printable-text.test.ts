import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadFontsFor } from './fonts.ts'
import { printableText } from './printable-text.ts'

describe('A printable text', () => {
  for (const [given, printed] of [
    ['a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
    ['a\tb\u2009c\u3000d\u00A0e', 'a    b c d\u00A0e'],
    ['e\u0301', 'é'],
    ['می\u200Cخواهم a\u200Cb', 'می\u200Cخواهم ab'],
    ['1\uFE0F\u200B\u202Ea\u0000\u00AD', '1a'],
  ] as const)
    test(`of ${JSON.stringify(given)}`, () => equal(printableText(given), printed))

  test('has a glyph for each letter of Latin, Greek and Cyrillic, and for usual signs', async () => {
    const all = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join('')
    const texts = [
      ...[
        all(0x20, 0x7e),
        all(0xa1, 0xac),
        all(0xae, 0x148),
        all(0x14a, 0x17f),
        all(0x391, 0x3a1),
        all(0x3a3, 0x3ce),
        all(0x400, 0x45f),
      ],
      ...['ẞȘșȚțẼẽҐґ', '–—‘’‚“”„†‡•…‰‹›€™−×÷≤≥≠→←✓§¶№'],
    ]
    const fonts = await loadFontsFor(printableText(texts.join('\n')))
    deepEqual(fonts.lackedBy(printableText(texts.join('\n'))), [])
    deepEqual(fonts.faces, [])
  })
})
