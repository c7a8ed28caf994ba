import bidiModule, { type Bidi, type EmbeddingLevels } from 'bidi-js'
import type { Font } from 'fontkit'
import LineBreaker from 'linebreak'
import { isRightToLeft } from './shaped-font.ts'

/** Part of a line in one font and one direction. */
export interface Piece {
  /** Text in the order in which the font lays it out. */
  text: string
  font: string
  /** Offset from the left end of the line. */
  x: number
  width: number
}

export interface Line {
  /** Text in reading order. */
  text: string
  /** Pieces in reading order. */
  pieces: Piece[]
  width: number
  /** Whether the paragraph runs from right to left. */
  isRtl: boolean
}

/** Fonts of a document. */
export interface Fonts {
  /** Returns the font names for the parts of a cluster; usually there is one part. */
  partsOf(cluster: string): readonly { text: string; font: string }[]
  get(name: string): Font
}

/** One or more clusters that stay together: one font, one direction, no line break. */
interface Atom {
  start: number
  end: number
  font: string
  width: number
  /** Width of the spaces at its end. */
  spaceWidth: number
  /** Whether a line may end after it. */
  breaks: boolean
}

interface Paragraph {
  text: string
  levels: EmbeddingLevels | null
}

/** The types are for another module format. */
const bidi = (bidiModule as unknown as () => Bidi)()
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })
const words = new Intl.Segmenter('th', { granularity: 'word' })
/**
 * Number of clusters after which a word may always be broken. The time to shape a word grows faster than its length.
 */
const LONGEST_ATOM = 100
const HAS_RTL = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
/** Scripts without spaces between words, which need a dictionary for line breaks. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/gu

/**
 * Breaks a text into lines: between words according to Unicode's line breaking (UAX 14) and dictionaries, and between
 * characters if a word is wider than the line. Each line is ordered by Unicode's bidirectional algorithm (UAX 9). Lines
 * are shaped on demand.
 */
export function* typeset(text: string, fonts: Fonts, { width, size }: Measure): Generator<Line> {
  for (const line of text.split('\n')) {
    const paragraph = { text: line, levels: HAS_RTL.test(line) ? bidi.getEmbeddingLevels(line, 'auto') : null }
    yield* linesOf({ paragraph, fonts, size }, width)
  }
}

interface Measure {
  width: number
  size: number
}

/** What is needed to measure the parts of a paragraph. */
interface Setting {
  paragraph: Paragraph
  fonts: Fonts
  size: number
}

function widthOf({ fonts, size }: Setting, font: string, text: string): number {
  const face = fonts.get(font)
  return (face.layout(text).advanceWidth * size) / face.unitsPerEm
}

/** Returns the positions after which a line may end. */
function breaksOf(text: string): Set<number> {
  const breaks = new Set<number>()
  const breaker = new LineBreaker(text)
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) breaks.add(next.position)
  for (const { 0: run, index } of text.matchAll(UNSPACED))
    for (const { index: at } of words.segment(run)) if (at > 0) breaks.add(index + at)
  return breaks
}

type Run = Pick<Atom, 'start' | 'end' | 'font' | 'breaks'>

function* runsOf({ paragraph: { text, levels }, fonts }: Setting): Generator<Run> {
  const breaks = breaksOf(text)
  const levelAt = (index: number) => levels?.levels[index] ?? 0
  let run: Run | undefined
  for (const { segment, index } of clusters.segment(text)) {
    let start = index
    for (const part of fonts.partsOf(segment)) {
      const end = start + part.text.length
      // Spaces stay with the word before them.
      const font = part.text === ' ' && run && fonts.get(run.font).hasGlyphForCodePoint(0x20) ? run.font : part.font
      if (!run || run.breaks || run.font !== font || levelAt(run.start) !== levelAt(start)) {
        if (run) yield run
        run = { start, end, font, breaks: false }
      }
      run.end = end
      start = end
    }
    if (run) run.breaks = breaks.has(start) || start - run.start > LONGEST_ATOM
  }
  if (run) yield run
}

function measured(setting: Setting, run: Run): Atom {
  const text = setting.paragraph.text.slice(run.start, run.end)
  const spaces = text.length - text.trimEnd().length
  const spaceWidth = spaces === 0 ? 0 : spaces * widthOf(setting, run.font, ' ')
  return { ...run, width: widthOf(setting, run.font, text), spaceWidth }
}

/** Splits an atom that is wider than a line into its clusters. */
function clusterAtoms(setting: Setting, { start, end, font }: Atom): Atom[] {
  const text = setting.paragraph.text.slice(start, end)
  return Array.from(clusters.segment(text), ({ segment, index }) => {
    const from = start + index
    return measured(setting, { start: from, end: from + segment.length, font, breaks: true })
  })
}

function* linesOf(setting: Setting, width: number): Generator<Line> {
  let line: Atom[] = []
  const close = () => {
    const { made, rest } = fitted(setting, line, width)
    line = rest
    return made
  }
  for (const word of wordsOf(setting)) {
    const fits = widthWithoutEnd(word) <= width
    for (const unit of fits ? [word] : word.flatMap((atom) => clusterAtoms(setting, atom)).map((atom) => [atom])) {
      while (line.length > 0 && sumOf(line) + widthWithoutEnd(unit) > width) yield close()
      line.push(...unit)
    }
  }
  do yield close()
  while (line.length > 0)
}

/** Returns as much of a line as fits: joined letters may be wider than the sum of their separate widths. */
function fitted(setting: Setting, atoms: Atom[], width: number): { made: Line; rest: Atom[] } {
  let count = atoms.length
  let made = lineOf(setting, atoms)
  while (made.width > width && count > 1) {
    count -= 1
    made = lineOf(setting, atoms.slice(0, count))
  }
  return { made, rest: atoms.slice(count) }
}

const sumOf = (atoms: readonly Atom[]) => atoms.reduce((sum, { width }) => sum + width, 0)
const widthWithoutEnd = (atoms: readonly Atom[]) => sumOf(atoms) - (atoms.at(-1)?.spaceWidth ?? 0)

/** Yields groups of atoms that stay together on one line. */
function* wordsOf(setting: Setting): Generator<Atom[]> {
  let word: Atom[] = []
  for (const run of runsOf(setting)) {
    word.push(measured(setting, run))
    if (!run.breaks && word.length < LONGEST_ATOM) continue
    yield word
    word = []
  }
  if (word.length > 0) yield word
}

/** Joins the atoms of a line and positions them. */
function lineOf(setting: Setting, atoms: Atom[]): Line {
  const { text, levels } = setting.paragraph
  const isRtl = isOdd(levels?.paragraphs[0]?.level)
  const start = atoms[0]?.start ?? 0
  const line = text.slice(start, atoms.at(-1)?.end).trimEnd()
  const runs: (Run & { level: number })[] = []
  for (const atom of atoms) {
    const level = levels?.levels[atom.start] ?? 0
    const end = Math.min(atom.end, start + line.length)
    const run = runs.at(-1)
    if (run && run.font === atom.font && run.level === level) run.end = end
    else if (end > atom.start) runs.push({ ...atom, end, level })
  }
  const pieces = runs.map(({ start: from, end, font, level }) => {
    const drawn = isOdd(level) ? turned(text.slice(from, end)) : text.slice(from, end)
    return { start: from, text: drawn, font, x: 0, width: widthOf(setting, font, drawn) }
  })
  let x = 0
  for (const piece of fromTheLeft(setting.paragraph, start, line, pieces)) {
    piece.x = x
    x += piece.width
  }
  return { text: line, pieces, width: x, isRtl }
}

const isOdd = (level = 0) => (level & 1) === 1

/** Returns the text in the order of its glyphs from left to right, unless the font reverses it itself. */
function turned(text: string): string {
  const mirrored = Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character)
  return isRightToLeft(text) ? mirrored.join('') : mirrored.reverse().join('')
}

function fromTheLeft<Placed extends { start: number }>(
  { levels }: Paragraph,
  start: number,
  line: string,
  pieces: Placed[],
): Placed[] {
  if (!levels) return pieces
  const pieceAt = new Map(pieces.map((piece) => [piece.start, piece]))
  const level = levels.paragraphs[0]?.level ?? 0
  const ofLine = {
    levels: levels.levels.slice(start, start + line.length),
    paragraphs: [{ start: 0, end: line.length - 1, level }],
  }
  return bidi.getReorderedIndices(line, ofLine).flatMap((index) => pieceAt.get(start + index) ?? [])
}
