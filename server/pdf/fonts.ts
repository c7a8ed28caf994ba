import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Font, Glyph } from 'fontkit'
import { once } from '../lib/once.ts'

const FILES = {
  regular: import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  bold: import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
}
export type Weight = keyof typeof FILES

/** Read for the first document and shared by all, so that what is parsed of them is parsed once. */
export const loadFonts = once(async (): Promise<Record<Weight, Font>> => {
  const fontkit = await import('fontkit')
  const read = async (weight: Weight) =>
    simplyLaidOut(fontkit.create(await readFile(fileURLToPath(FILES[weight]))) as Font)
  return { regular: await read('regular'), bold: await read('bold') }
})

/**
 * The font with one glyph for each character, and digits of equal width. Latin, Greek and Cyrillic letters need no
 * more, and shaping by the rules of the font takes twenty times as long.
 */
function simplyLaidOut(font: Font): Font {
  const glyphs = new Map<number, Glyph>()
  const keep = (codePoint: number, glyph: Glyph) => {
    // fontkit shares a glyph among its characters, and with the subsets of other documents, which may have made it as a
    // part of another (’ of ”). What readers find is the character that is printed.
    const own = Object.create(glyph, { codePoints: { value: [codePoint] } }) as Glyph
    glyphs.set(codePoint, own)
    return own
  }
  for (const glyph of font.layout('0123456789', ['tnum']).glyphs) keep(glyph.codePoints[0] ?? 0, glyph)
  const glyphOf = (character: string) => {
    const codePoint = character.codePointAt(0) ?? 0
    return glyphs.get(codePoint) ?? keep(codePoint, font.glyphForCodePoint(codePoint))
  }
  const layout = (text: string) => {
    const line = Array.from(text, glyphOf)
    const positions = line.map((glyph) => ({ xAdvance: glyph.advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }))
    return {
      glyphs: line,
      positions,
      // pdfkit reads it after it has scaled the positions.
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
      },
    }
  }
  return Object.create(font, { layout: { value: layout } })
}
