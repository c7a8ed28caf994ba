import { deepEqual, equal, notDeepEqual, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { WORLD_TEXTS } from '../../test/support/world-texts.ts'
import { type Fonts, loadFontsFor } from './fonts.ts'
import { printableText } from './printable-text.ts'
import { IDEOGRAPHS, SCRIPTS } from './scripts.ts'
import { type Line, typeset } from './typeset.ts'

const SIZE = 10

const ofWeight = (fonts: Fonts) => ({
  get: fonts.get,
  partsOf: (cluster: string) => fonts.partsOf(cluster, 'regular'),
})

async function linesOf(text: string, width: number): Promise<{ lines: Line[]; fonts: Fonts }> {
  const fonts = await loadFontsFor(text)
  return { lines: [...typeset(text, ofWeight(fonts), { width, size: SIZE })], fonts }
}

/** Returns the font's glyphs for a text; 0 is the box for a missing one. */
function drawn(fonts: Fonts, font: string, text: string): number[] {
  return fonts
    .get(font)
    .layout(text)
    .glyphs.flatMap(({ id }) =>
      typeof id === 'number'
        ? [id]
        : (JSON.parse(id) as { parts: [number, number, number][] }).parts.map(([glyph]) => glyph),
    )
}

const faceOf = (fonts: Fonts, text: string) => fonts.partsOf(text, 'regular')[0]?.font ?? ''
const withoutSpaces = (text: string) => text.replace(/\s/g, '')

describe('Texts of all scripts', () => {
  for (const [script, text] of Object.entries(WORLD_TEXTS))
    test(`LTR-151: have a glyph for each character, and break into lines that fit: ${script}`, async () => {
      equal(printableText(text), text.normalize('NFC'))
      for (const width of [40, 100, 400]) {
        const { lines, fonts } = await linesOf(text, width)
        deepEqual(fonts.lackedBy(text), [])
        equal(withoutSpaces(lines.map((line) => line.text).join('')), withoutSpaces(text))
        for (const line of lines) {
          ok(line.width <= width + 0.01, `${line.text}: ${line.width} of ${width}`)
          for (const piece of line.pieces)
            ok(!drawn(fonts, piece.font, piece.text).includes(0), `${piece.text} in ${piece.font}`)
        }
      }
    })

  const letters = fc.constantFrom(
    ...new Set(Object.values(WORLD_TEXTS).flatMap((text) => [...text])),
    ...[
      '(',
      ')',
      '1',
      '20',
      '.',
      ',',
      '"',
      '-',
      '/',
      '%',
      '$',
      '\u200C',
      '\u200D',
      '\u064B',
      '\u0301',
      '\u093F',
      '🙂',
      '\n',
    ],
  )
  test('LTR-151: in any mix and order throw nothing, lose nothing and fit, without a cluster that is split', async () => {
    const fonts = await loadFontsFor(Object.values(WORLD_TEXTS).join('\n'))
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 60 }), fc.integer({ min: 30, max: 300 }), (given, width) => {
        const text = printableText(given.join(''))
        const lines = [...typeset(text, ofWeight(fonts), { width, size: SIZE })]
        equal(withoutSpaces(lines.map((line) => line.text).join('')), withoutSpaces(text))
        const whole = Array.from(segmenter.segment(text), ({ segment }) => segment)
        // A mark on a letter of another script is in another font, and may be separated from it.
        const ends = new Set(whole.every((one) => fonts.partsOf(one, 'regular').length === 1) ? whole : [])
        for (const line of lines) {
          const clusters = Array.from(segmenter.segment(line.text), ({ segment }) => segment)
          ok(line.width <= width + 0.01 || clusters.length === 1, JSON.stringify(line))
          if (ends.size > 0)
            for (const cluster of clusters)
              ok(ends.has(cluster), `${JSON.stringify(cluster)} of ${JSON.stringify(text)}`)
          placedBesideEachOther(line)
        }
      }),
      // The letters are wider when joined than separately.
      { numRuns: 1_500, examples: [[Array.from({ length: 6 }, () => 'م'), 30]] },
    )
  })

  function placedBesideEachOther({ pieces, width }: Line) {
    let x = 0
    for (const piece of [...pieces].sort((a, b) => a.x - b.x || a.width - b.width)) {
      ok(Math.abs(piece.x - x) < 0.01, JSON.stringify(pieces))
      x += piece.width
    }
    ok(Math.abs(x - width) < 0.01)
  }

  test('join, as the letters of Arabic do', async () => {
    const fonts = await loadFontsFor('ببب')
    const font = faceOf(fonts, 'ب')
    const alone = drawn(fonts, font, 'ب')
    const joined = drawn(fonts, font, 'ببب')
    equal(new Set(joined.filter((id) => !alone.includes(id))).size >= 2, true)
    // A sign between the letters separates them.
    notDeepEqual(drawn(fonts, font, 'ب\u200Cب'), drawn(fonts, font, 'بب'))
  })

  test('are put in the order in which Devanagari is drawn, and found in the order in which it is read', async () => {
    const fonts = await loadFontsFor('कि क्ष')
    const font = faceOf(fonts, 'क')
    const [ka] = drawn(fonts, font, 'क')
    equal(drawn(fonts, font, 'कि').at(-1), ka)
    equal(drawn(fonts, font, 'क्ष').length, 1)
    const [glyph] = fonts.get(font).layout('कि').glyphs
    deepEqual(glyph?.codePoints, [0x915, 0x93f])
  })

  test('have their marks above each other in Thai, without a width of their own', async () => {
    const fonts = await loadFontsFor('ที่')
    const font = fonts.get(faceOf(fonts, 'ท'))
    equal(font.layout('ที่').advanceWidth, font.layout('ท').advanceWidth)
    equal(font.layout('ที่').glyphs.length, 1)
  })

  test('run from right to left around numbers and other words, which do not', async () => {
    const { lines } = await linesOf('שלום 12 (abc) עולם', 400)
    const [line] = lines
    const visual = [...(line?.pieces ?? [])].sort((a, b) => a.x - b.x).map(({ text }) => text.trim())
    deepEqual(
      visual.filter((text) => text !== ''),
      ['עולם', '(', 'abc', ')', '12', 'שלום'],
    )
    equal(line?.isRtl, true)
    equal((await linesOf('Studio שלום', 400)).lines[0]?.isRtl, false)
  })

  test('break between the words of Thai and between ideographs, and not before a mark of punctuation', async () => {
    const { lines } = await linesOf(WORLD_TEXTS.Thai ?? '', 60)
    const words = new Set(
      Array.from(
        new Intl.Segmenter('th', { granularity: 'word' }).segment(WORLD_TEXTS.Thai ?? ''),
        ({ index }) => index,
      ),
    )
    let at = 0
    for (const { text } of lines) {
      ok(words.has(at), text)
      at += text.length
    }
    for (const { text } of (await linesOf('一二三四五六七八九，十。'.repeat(9), 95)).lines)
      ok(!/^[，。]/.test(text), text)
  })

  test('LTR-151: load a font only when a character needs it, and those of its own script only', async () => {
    deepEqual((await loadFontsFor('Zoé, Ελλάδα, Київ, Nguyễn')).faces, [])
    deepEqual(
      (await loadFontsFor('שלום')).faces.map(({ name }) => name),
      ['NotoSans-hebrew-hebrew'],
    )
    equal(
      (await loadFontsFor('山川')).faces.every(({ name }) => name.startsWith('NotoSans-sc-')),
      true,
    )
    equal(
      (await loadFontsFor('山川の')).faces.every(({ name }) => name.startsWith('NotoSans-jp-')),
      true,
    )
  })

  test('name what no font has, once each', async () => {
    const text = 'a 🙂 𓀀 日 🙂'
    deepEqual((await loadFontsFor(text)).lackedBy(text), ['🙂', '𓀀'])
  })

  test('have a package for each script, and no other', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object }
    const named = Object.keys(dependencies).filter((name) => name.startsWith('@fontsource'))
    deepEqual(named.sort(), [...SCRIPTS, ...IDEOGRAPHS].map((one) => `@fontsource-variable/noto-sans-${one}`).sort())
  })
})
