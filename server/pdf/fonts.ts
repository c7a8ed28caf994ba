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

/** Fonts of a document. */
export interface Fonts {
  /** Whether Inter has all characters of the text, and the text needs no bidirectional ordering. */
  isPlain(text: string): boolean
  /**
   * Returns the parts of a cluster (what a reader takes for one character) with the names of their fonts; usually there
   * is one part. A character that no font has becomes a box in Inter.
   */
  partsOf(cluster: string, weight: Weight): readonly { text: string; font: string }[]
  get(name: string): Font
  /** Faces used in addition to Inter. */
  faces: readonly Face[]
  /** Returns the characters of a text that no font has, without duplicates. */
  lackedBy(text: string): string[]
}

/**
 * Loads the fonts of a document. @param text the text to be printed, which decides what fonts are loaded besides Inter
 */
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

/** Line breaks, and the signs that join or separate letters. */
const UNDRAWN = /[\n\u200C\u200D]/

/** Loaded for the first document and shared by all, so that each part is parsed only once. */
const loadFonts = once(async (): Promise<Record<Weight, Font> & { characters: Set<number> }> => {
  const fontkit = await import('fontkit')
  const read = async (weight: Weight) =>
    simplyLaidOut(fontkit.create(await readFile(fileURLToPath(FILES[weight]))) as Font)
  const [regular, bold] = [await read('regular'), await read('bold')]
  return { regular, bold, characters: new Set(regular.characterSet).intersection(new Set(bold.characterSet)) }
})

/**
 * Returns the font with one glyph for each character, and digits of equal width. Latin, Greek and Cyrillic letters need
 * no more, and shaping by the rules of the font takes twenty times as long.
 */
function simplyLaidOut(font: Font): Font {
  const glyphs = new Map<number, Glyph>()
  const keep = (codePoint: number, glyph: Glyph) => {
    // fontkit shares a glyph among its characters and with the subsets of other documents, which may have created it as
    // part of another one (’ of ”). Readers must find the character that is printed.
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
      // Computed late: pdfkit reads it after it has scaled the positions.
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
      },
    }
  }
  return Object.create(font, { layout: { value: layout } })
}
