import type { Font, Glyph, GlyphPosition } from 'fontkit'
import { type Outline, subsetOf } from './woff2.ts'

/** Maximum number of cached words, so that common ones are shaped only once. */
const KEPT_WORDS = 2_000
const WORDS = /[^ ]+ ?| /g
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const LETTER = /\p{L}/u
/** A character with the signs that join it to the next one or separate them. */
const CHARACTERS = /.[\u200C\u200D]*/gsu
/** fontkit replaces invisible signs by spaces of zero width. */
const isHidden = ({ codePoints }: Glyph, { xAdvance }: GlyphPosition) => codePoints[0] === 0x20 && xAdvance === 0

/**
 * Glyphs drawn together for some characters of a word: a letter with its marks, or letters that have been reordered.
 */
interface DrawnGlyph {
  /** Encodes how it is drawn, and for which characters. */
  id: string
  codePoints: number[]
  advanceWidth: number
}

interface Run {
  glyphs: DrawnGlyph[]
  advanceWidth: number
}

/** Glyph of the font at the position that shaping has given it. */
interface Placed {
  glyph: Glyph
  /** Position of the pen before the glyph is drawn, from the left end of the word. */
  pen: number
  xOffset: number
  yOffset: number
  xAdvance: number
}

/**
 * Returns a font that lays out text by the rules of its script: letters join, marks find their positions, and glyphs
 * are ordered from left to right. Glyphs are drawn together if only together they represent characters in reading
 * order, so that text can be searched and copied.
 *
 * @param name unique name in the document
 */
export function shapedFont(font: Font, name: string): Font {
  const words = new Map<string, Run>()
  // fontkit caches a glyph with the characters that it represented when it was first used.
  const getGlyph = (id: number, codePoints: number[] = []) => own(font.getGlyph(id), { codePoints })
  const shaper = own(font, { getGlyph }) as Font
  skipMissingAnchors(shaper)
  const wordRun = (word: string, isRtl: boolean): Run => {
    const key = isRtl ? `\u200F${word}` : word
    const kept = words.get(key)
    if (kept) return kept
    if (words.size >= KEPT_WORDS) words.clear()
    const glyphs = groupsOf(placedGlyphs(shaper, word, isRtl), word).map(drawnGlyph)
    if (isRtl) glyphs.reverse()
    const run = { glyphs, advanceWidth: glyphs.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0) }
    words.set(key, run)
    return run
  }
  const layout = (text: string) => {
    const isRtl = isRightToLeft(text)
    const runs = (text.match(WORDS) ?? []).map((word) => wordRun(word, isRtl))
    if (isRtl) runs.reverse()
    const glyphs = runs.flatMap((run) => run.glyphs)
    return {
      glyphs,
      // New objects, because pdfkit scales them.
      positions: glyphs.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 })),
      advanceWidth: runs.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0),
    }
  }
  const createSubset = () => subsetOf(font, (id) => outlineOf(font, id))
  return own(font, { layout, createSubset, postscriptName: name }) as Font
}

const own = <Base extends object>(base: Base, properties: Record<string, unknown>): Base =>
  Object.create(
    base,
    Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, { value, enumerable: true }])),
  ) as Base

interface Positioner {
  getAnchor(anchor: object | null): object
  applyLookup(type: number, table: object): boolean
}

/**
 * Works around an error of fontkit, which throws if a rule puts a mark on a letter without an anchor for it. The rule
 * is skipped: the next one may have an anchor.
 */
function skipMissingAnchors(font: Font): void {
  const { GPOSProcessor } = (font as unknown as { _layoutEngine: { engine: { GPOSProcessor?: Positioner } } })
    ._layoutEngine.engine
  if (!GPOSProcessor) return
  const { getAnchor, applyLookup } = GPOSProcessor
  GPOSProcessor.getAnchor = (anchor) => {
    if (anchor === null) throw NO_ANCHOR
    return getAnchor.call(GPOSProcessor, anchor)
  }
  GPOSProcessor.applyLookup = (type, table) => {
    try {
      return applyLookup.call(GPOSProcessor, type, table)
    } catch (error) {
      if (error === NO_ANCHOR) return false
      throw error
    }
  }
}

const NO_ANCHOR = new Error('the letter has no place for the mark')

/** Whether a text runs from right to left. Digits of these scripts are written from left to right. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text) && LETTER.test(text)

/** Returns the glyphs in reading order. */
function placedGlyphs(shaper: Font, word: string, isRtl: boolean): Placed[] {
  const { glyphs, positions } = shaper.layout(word, [], undefined, undefined, isRtl ? 'rtl' : 'ltr')
  let pen = 0
  const placed = glyphs.flatMap((glyph, index) => {
    const position = positions[index]
    if (!position || isHidden(glyph, position)) return []
    const { xAdvance, xOffset, yOffset } = position
    pen += xAdvance
    return [{ glyph, pen: pen - xAdvance, xOffset, yOffset, xAdvance }]
  })
  return isRtl ? placed.reverse() : placed
}

interface Group {
  text: string
  placed: Placed[]
}

/** Returns the smallest groups of glyphs that each represent the next characters of the word. */
function groupsOf(placed: readonly Placed[], word: string): Group[] {
  const characters = word.match(CHARACTERS) ?? []
  const groups: Group[] = []
  let [group, codes]: [Placed[], number[]] = [[], []]
  let begin = 0
  placed.forEach((one, index) => {
    group.push(one)
    codes.push(...one.glyph.codePoints)
    const isLast = index === placed.length - 1
    const end = isLast ? characters.length : begin + codes.length
    const text = characters.slice(begin, end)
    if (!isLast && (isPartOfLetter(placed[index + 1]) || !areSame(codes, text))) return
    groups.push({ text: text.join(''), placed: group })
    ;[group, codes, begin] = [[], [], end]
  })
  return groups
}

/** Whether a glyph is a mark, or a part of a letter that represents no character. */
const isPartOfLetter = (placed: Placed | undefined) => placed?.xAdvance === 0 || placed?.glyph.codePoints.length === 0

function areSame(codes: readonly number[], characters: readonly string[]): boolean {
  const sorted = [...codes].sort((a, b) => a - b).join()
  return (
    codes.length > 0 &&
    sorted ===
      characters
        .map((one) => one.codePointAt(0) ?? 0)
        .sort((a, b) => a - b)
        .join()
  )
}

function drawnGlyph({ text, placed }: Group): DrawnGlyph {
  const advanceWidth = placed.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
  const begin = Math.min(...placed.map(({ pen }) => pen))
  const parts = placed.map(({ glyph, pen, xOffset, yOffset }): DrawnPart => [glyph.id, pen - begin + xOffset, yOffset])
  const codePoints = Array.from(text, (one) => one.codePointAt(0) ?? 0)
  return { id: JSON.stringify({ parts, advanceWidth, codePoints }), codePoints, advanceWidth }
}

type DrawnPart = [glyph: number, dx: number, dy: number]

function outlineOf(font: Font, id: string | number): Outline {
  // The box for a missing character, which every font of a document begins with.
  if (typeof id === 'number') return { parts: [], advanceWidth: font.getGlyph(id).advanceWidth }
  const { parts, advanceWidth } = JSON.parse(id) as { parts: DrawnPart[]; advanceWidth: number }
  return { parts: parts.map(([glyph, dx, dy]) => ({ path: font.getGlyph(glyph).path, dx, dy })), advanceWidth }
}
