import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Font } from 'fontkit'
import { once } from '../lib/once.ts'
import { shapedFont } from './shaped-font.ts'
import { readWoff2 } from './woff2.ts'

/** Scripts with a package `@fontsource-variable/noto-sans-…` each. */
export const SCRIPTS = [
  ...['arabic', 'armenian', 'bengali', 'devanagari', 'ethiopic', 'georgian', 'gujarati', 'gurmukhi', 'hebrew'],
  ...['kannada', 'khmer', 'lao', 'malayalam', 'sinhala', 'tamil', 'telugu', 'thai'],
] as const
/**
 * Packages whose characters are split into more than a hundred files. They have most characters in common, but each has
 * some of its own; the first one determines the form of a character that is written differently in China and Japan.
 */
export const IDEOGRAPHS = ['sc', 'jp', 'kr'] as const
type Family = (typeof SCRIPTS)[number] | (typeof IDEOGRAPHS)[number]

export interface Face {
  /** Name in the document, unique there. */
  name: string
  font: Font
}

/** Maximum number of cached files. All of them would take 300 MB. */
const KEPT_FILES = 60
const faces = new Map<string, Promise<Face>>()

/**
 * Loads the faces for characters that Inter does not have, each when a text first needs it.
 *
 * @param text decides between Chinese, Japanese and Korean fonts
 */
export async function loadFaces(text: string, characters: Iterable<string>): Promise<Map<string, Face>> {
  const found = new Map<string, Face>()
  const files = await fileFinder()
  const families = [...ideographsOf(text), ...SCRIPTS]
  for (const character of characters) {
    const code = character.codePointAt(0) ?? 0
    for (const family of families) {
      const file = files(family, code)
      const face = file === undefined ? undefined : await loadFace(file)
      if (!face?.font.hasGlyphForCodePoint(code)) continue
      found.set(character, face)
      break
    }
  }
  return found
}

/** Orders the families: shared characters come from the one whose syllables occur in the text. */
function ideographsOf(text: string): readonly Family[] {
  const first = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? 'jp' : /\p{Script=Hangul}/u.test(text) && 'kr'
  return first ? [first, ...IDEOGRAPHS.filter((family) => family !== first)] : IDEOGRAPHS
}

function loadFace(file: string): Promise<Face> {
  const kept = faces.get(file) ?? readFace(file)
  // The map is ordered by last use, the most recent last.
  faces.delete(file)
  faces.set(file, kept)
  const [oldest] = faces.keys()
  if (oldest !== undefined && faces.size > KEPT_FILES) faces.delete(oldest)
  return kept
}

async function readFace(file: string): Promise<Face> {
  const name = file.replace(/^.*\/noto-sans-(.+)-wght-normal\.woff2$/, 'NotoSans-$1')
  return { name, font: shapedFont(await readWoff2(await readFile(file)), name) }
}

type FileFinder = (family: Family, code: number) => string | undefined

/** Finds the file of a character, by the ranges that the packages specify. */
const fileFinder = once(async (): Promise<FileFinder> => {
  const places = new Map<string, Map<number, string>>()
  for (const family of [...SCRIPTS, ...IDEOGRAPHS]) places.set(family, await placesOf(family))
  return (family, code) => places.get(family)?.get(code)
})

async function placesOf(family: Family): Promise<Map<number, string>> {
  const list = new URL(import.meta.resolve(`@fontsource-variable/noto-sans-${family}/unicode.json`))
  const ranges = Object.entries(JSON.parse(await readFile(list, 'utf8')) as Record<string, string>)
  const places = new Map<number, string>()
  for (const [key, range] of ranges) {
    // Other keys are for other scripts, which have packages of their own.
    if (key !== family && !key.startsWith('[')) continue
    const name = `files/noto-sans-${family}-${key.replace(/[[\]]/g, '')}-wght-normal.woff2`
    const file = fileURLToPath(new URL(name, list))
    for (const part of range.split(',')) {
      const [from = 0, to = from] = part
        .replace('U+', '')
        .split('-')
        .map((hex) => Number.parseInt(hex, 16))
      for (let code = from; code <= to; code++) places.set(code, file)
    }
  }
  return places
}
