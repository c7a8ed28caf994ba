import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Font, Glyph } from 'fontkit'
import { once } from '../lib/once.ts'
import { type Face, loadFaces } from './scripts.ts'

const FILES = {
  regular: import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  bold: import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
}
export type Weight = keyof typeof FILES

/** The fonts of a document. */
export interface Fonts {
  /** Whether Inter alone has all of its characters, and no direction is to be found out. */
  isPlain(text: string): boolean
  /**
   * The parts of a cluster (what a reader takes for one character) with the names of their fonts: mostly one part. Each
   * character that no font has is a box in Inter.
   */
  partsOf(cluster: string, weight: Weight): readonly { text: string; font: string }[]
  get(name: string): Font
  /** Those that Inter's stand beside. */
  faces: readonly Face[]
  /** The characters of a text that no font has, each once. */
  lackedBy(text: string): string[]
}

/** @param text what the document prints: the fonts that it needs beside Inter are read */
export async function loadFontsFor(text: string): Promise<Fonts> {
  const { regular, bold, characters } = await loadFonts()
  const isInter = (character: string) => characters.has(character.codePointAt(0) ?? 0)
  const others = [...new Set(text)].filter((character) => !isInter(character) && !UNDRAWN.test(character))
  const faces = await loadFaces(text, others)
  const used = new Map([...faces.values()].map((face) => [face.name, face]))
  const has = ({ font }: Face, character: string) =>
    UNDRAWN.test(character) || font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
  const faceOf = (cluster: string) => {
    const all = [...cluster]
    return all.flatMap((one) => faces.get(one) ?? []).find((face) => all.every((one) => has(face, one)))
  }
  const known = new Map<string, string | null>()
  const nameOf = (cluster: string): string | null => {
    let name = known.get(cluster)
    if (name === undefined) {
      name = [...cluster].every(isInter) ? null : (faceOf(cluster)?.name ?? null)
      known.set(cluster, name)
    }
    return name
  }
  return {
    isPlain: (one) => [...one].every((character) => isInter(character) || character === '\n'),
    partsOf(cluster, weight) {
      const name = nameOf(cluster)
      if (name !== null || cluster.length === 1) return [{ text: cluster, font: name ?? weight }]
      return [...cluster].map((text) => ({ text, font: nameOf(text) ?? weight }))
    },
    get: (name) => (name === 'regular' ? regular : name === 'bold' ? bold : (used.get(name)?.font ?? regular)),
    faces: [...used.values()],
    lackedBy: (one) =>
      [...new Set(one)].filter((character) => !(isInter(character) || faces.has(character) || UNDRAWN.test(character))),
  }
}

/** Line breaks, and what joins or parts letters. */
const UNDRAWN = /[\n\u200C\u200D]/

/** Read for the first document and shared by all, so that what is parsed of them is parsed once. */
const loadFonts = once(async (): Promise<Record<Weight, Font> & { characters: Set<number> }> => {
  const fontkit = await import('fontkit')
  const read = async (weight: Weight) =>
    simplyLaidOut(fontkit.create(await readFile(fileURLToPath(FILES[weight]))) as Font)
  const [regular, bold] = [await read('regular'), await read('bold')]
  return { regular, bold, characters: new Set(regular.characterSet).intersection(new Set(bold.characterSet)) }
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
