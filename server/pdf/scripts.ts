import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Font } from 'fontkit'
import { once } from '../lib/once.ts'
import { shapedFont } from './shaped-font.ts'
import { readWoff2 } from './woff2.ts'

/** Packages `@fontsource-variable/noto-sans-…`, one for each script. */
export const SCRIPTS = [
  ...['arabic', 'armenian', 'bengali', 'devanagari', 'ethiopic', 'georgian', 'gujarati', 'gurmukhi', 'hebrew'],
  ...['kannada', 'khmer', 'lao', 'malayalam', 'sinhala', 'tamil', 'telugu', 'thai'],
] as const
/**
 * Packages whose characters are in more than a hundred files. They share most characters, and each has some of its
 * own; the first one decides how a character looks that China and Japan write differently.
 */
export const IDEOGRAPHS = ['sc', 'jp', 'kr'] as const
type Family = (typeof SCRIPTS)[number] | (typeof IDEOGRAPHS)[number]

export interface Face {
  /** Of its own in a document. */
  name: string
  font: Font
}

/** Files that are kept. All of them would take 300 MB. */
const KEPT_FILES = 60
const faces = new Map<string, Promise<Face>>()

/**
 * The faces for characters that Inter does not have, each read when a text first needs it.
 *
 * @param text decides between fonts of Chinese, Japanese and Korean
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

/** Signs that all of them have come from the one whose syllables the text has. */
function ideographsOf(text: string): readonly Family[] {
  const first = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? 'jp' : /\p{Script=Hangul}/u.test(text) && 'kr'
  return first ? [first, ...IDEOGRAPHS.filter((family) => family !== first)] : IDEOGRAPHS
}

function loadFace(file: string): Promise<Face> {
  const kept = faces.get(file) ?? readFace(file)
  // The last one is the one that was used last.
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

/** Which file has a character, by the ranges that the packages name. */
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
    // Others are signs of other scripts, which the packages of those have.
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
