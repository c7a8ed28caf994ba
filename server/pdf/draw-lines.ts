import type { Fonts, Weight } from './fonts.ts'
import type { Line, Piece } from './typeset.ts'

type Document = PDFKit.PDFDocument

export interface LineStyle {
  x: number
  y: number
  width: number
  size: number
  weight: Weight
  color: string
  align: 'left' | 'right' | 'start'
  /** Set if the line may be drawn into the page's margin, without a page break. */
  isOneLine?: boolean
  /** Gap below each line. */
  gap: number
}

/**
 * Maximum ascent and descent of a font, as fractions of its size; otherwise rarely used marks would spread the lines.
 */
const ABOVE = 1.1
const BELOW = 0.5
/** Fonts of other scripts have only one weight; a line around each letter makes it bold. */
const BOLD_LINE = 0.03

/** Draws lines below each other, on as many pages as necessary. @returns the position at which they end */
export function drawLines(doc: Document, fonts: Fonts, lines: readonly Line[], style: LineStyle): number {
  const { isOneLine } = style
  let { y } = style
  for (const line of lines) {
    const { ascent, height } = heightsOf(fonts, line, style)
    if (!isOneLine && y + height > doc.page.maxY()) {
      // Also starts the accessibility tags on the new page.
      ;(doc as unknown as { continueOnNewPage(): void }).continueOnNewPage()
      y = doc.page.margins.top
    }
    drawLine(doc, line, y + ascent, style)
    y += height
  }
  doc.y = y
  return y
}

function drawLine(doc: Document, line: Line, baseline: number, style: LineStyle): void {
  const { x, width, align } = style
  if (line.pieces.length === 0) return
  const isRight = align === 'right' || (align === 'start' && line.isRtl)
  const left = isRight ? x + width - line.width : x
  // Glyphs are in drawing order; copied text is in reading order.
  doc.markContent('Span', { actual: line.text })
  for (const piece of line.pieces) drawPiece(doc, piece, { left, baseline, ...style })
  doc.endMarkedContent()
}

function drawPiece(
  doc: Document,
  { font, text, x }: Piece,
  { left, baseline, size, color, weight }: LineStyle & { left: number; baseline: number },
): void {
  const isThickened = weight === 'bold' && font !== 'bold'
  if (isThickened) doc.lineWidth(size * BOLD_LINE).strokeColor(color)
  doc.font(font).fontSize(size).fillColor(color)
  const outline = isThickened ? { fill: true, stroke: true } : {}
  // Given a list of features, pdfkit passes the font the whole text instead of single words.
  doc.text(text, left + x, baseline, { lineBreak: false, baseline: 'alphabetic', features: [], ...outline })
}

export function heightsOf(
  fonts: Fonts,
  line: Line,
  { size, weight, gap }: Pick<LineStyle, 'size' | 'weight' | 'gap'>,
): { ascent: number; height: number } {
  let [ascent, descent] = [0, 0]
  for (const name of new Set([weight, ...line.pieces.map(({ font }) => font)])) {
    const font = fonts.get(name)
    ascent = Math.max(ascent, Math.min(font.ascent / font.unitsPerEm, ABOVE))
    descent = Math.max(descent, Math.min(-font.descent / font.unitsPerEm, BELOW))
  }
  return { ascent: ascent * size, height: (ascent + descent) * size + gap }
}
