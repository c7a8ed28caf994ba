import { drawLines, heightsOf } from './draw-lines.ts'
import { type Fonts, loadFontsFor, type Weight } from './fonts.ts'
import { printableText } from './printable-text.ts'
import { type Line, typeset } from './typeset.ts'

type Document = PDFKit.PDFDocument
type Element = PDFKit.PDFStructureElement
type Measured = Pick<TextStyle, 'width' | 'size' | 'weight'>

const INK = '#1a1f36'
export const MUTED = '#5b6478'
const LINE = '#d9dee7'
/** Default size of texts. */
const SIZE = 9
const LINE_GAP = 2
const DEFAULTS = { size: SIZE, weight: 'regular', color: INK, align: 'left' } as const

export interface TextStyle {
  x: number
  y: number
  width: number
  size?: number
  weight?: Weight
  color?: string
  /** `start` is the side on which reading of the text begins. */
  align?: 'left' | 'right' | 'start'
  /** Cuts off what does not fit into one line. */
  isOneLine?: boolean
}

export interface SheetOptions {
  size: 'A4' | 'LETTER'
  title: string
  author: string
  language: string
  createdAt: Date
  /** Everything that will be printed, in any order. Fonts for other characters are not loaded. */
  printed: readonly (string | null | undefined)[]
  /** A text that is longer than its page continues within these margins on further pages. */
  margins: { top: number; bottom: number }
}

/** Pages of text in embedded fonts, tagged for accessibility. Positions are in points from the upper left. */
export interface Sheet {
  readonly width: number
  readonly height: number
  /** Root of the structure that texts belong to. */
  readonly root: Element
  /** Creates a child of `parent`; its texts are drawn with `text`. */
  group(parent: Element, type: string): Element
  /** @returns the position at which the text ends, on its last page */
  text(parent: Element | null, type: string, text: string | readonly Line[], style: TextStyle): number
  /** Returns the lines of a text in various scripts, computed on demand; `null` if Inter alone can print the text. */
  lines(text: string, style: Pick<TextStyle, 'width' | 'size' | 'weight'>): Iterable<Line> | null
  heightOf(text: string, style: Omit<TextStyle, 'x' | 'y' | 'isOneLine'>): number
  rule(y: number, from: number, to: number): void
  bar(color: string, height: number): void
  /** @returns whether the picture could be read */
  picture(bytes: Buffer, alt: string, place: { right: number; y: number; width: number; height: number }): boolean
  addPage(): void
  /** Draws on every page, outside the structure. */
  onEachPage(draw: (page: number, pages: number) => void): void
  bytes(): Promise<Buffer>
}

/** Opens a sheet. The same content gives the same bytes. */
export async function openSheet(options: SheetOptions): Promise<Sheet> {
  const { size, margins, title, author, language, createdAt, printed } = options
  const all = printed.filter((text) => typeof text === 'string').join('\n')
  // Neither module is loaded before the first document.
  const [{ default: Pdf }, fonts] = await Promise.all([import('pdfkit'), loadFontsFor(printableText(all))])
  const doc = new Pdf({
    size,
    margins: { ...margins, left: 0, right: 0 },
    bufferPages: true,
    pdfVersion: '1.7',
    // The type package does not include this value yet.
    subset: 'PDF/UA' as 'PDF/A-2a',
    tagged: true,
    lang: language,
    displayTitle: true,
    info: { Title: title, Author: author, CreationDate: createdAt, Producer: 'Rialto', Creator: 'Rialto' },
    // Otherwise, pdfkit begins with Helvetica, which it does not embed.
    font: '',
  })
  for (const name of ['regular', 'bold', ...fonts.faces.map((face) => face.name)])
    doc.registerFont(name, fonts.get(name) as unknown as Buffer)
  const root = doc.struct('Document')
  doc.addStructure(root)
  return sheetOf(doc, root, fonts)
}

function sheetOf(doc: Document, root: Element, fonts: Fonts): Sheet {
  const { width, height } = doc.page
  const { draw, linesOf, heightOf } = textsOf(doc, fonts)
  const artifact = (work: () => void) => {
    doc.markContent('Artifact', { type: 'Layout' })
    work()
    doc.endMarkedContent()
  }
  return {
    width,
    height,
    root,
    group(parent, type) {
      const child = doc.struct(type)
      parent.add(child)
      return child
    },
    text(parent, type, text, style) {
      let end = style.y
      const work = () => {
        end = draw(text, style)
      }
      if (parent) parent.add(doc.struct(type, {}, work))
      else artifact(work)
      return end
    },
    lines: (text, style) => linesOf(printableText(text), style),
    heightOf,
    rule: (y, from, to) =>
      artifact(() => void doc.moveTo(from, y).lineTo(to, y).lineWidth(0.75).strokeColor(LINE).stroke()),
    bar: (color, high) => artifact(() => void doc.rect(0, 0, width, high).fill(color)),
    picture: (bytes, alt, place) => picture(doc, root, bytes, { alt, ...place }),
    addPage: () => void doc.addPage(),
    onEachPage(work) {
      const { count } = doc.bufferedPageRange()
      for (let page = 0; page < count; page++) {
        doc.switchToPage(page)
        work(page + 1, count)
      }
    },
    async bytes() {
      root.end()
      const chunks: Buffer[] = []
      doc.end()
      for await (const chunk of doc) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks)
    },
  }
}

/** Returns how texts are measured and drawn: by pdfkit if Inter alone can print them, otherwise line by line. */
function textsOf(doc: Document, fonts: Fonts) {
  const linesOf = (text: string, { width: wide, size = SIZE, weight = 'regular' }: Measured) => {
    const ofWeight = { get: fonts.get, partsOf: (cluster: string) => fonts.partsOf(cluster, weight) }
    return fonts.isPlain(text) ? null : typeset(text, ofWeight, { width: wide, size })
  }
  const draw = (text: string | readonly Line[], style: TextStyle): number => {
    const full = { ...DEFAULTS, gap: LINE_GAP, ...style }
    if (typeof text !== 'string') return drawLines(doc, fonts, text, full)
    const printed = printableText(text)
    const lines = linesOf(printed, style)
    if (lines === null) return drawText(doc, printed, style)
    return drawLines(doc, fonts, style.isOneLine ? cutOff(lines, (one) => linesOf(one, style)) : [...lines], full)
  }
  const heightOf: Sheet['heightOf'] = (text, style) => {
    const printed = printableText(text)
    const lines = linesOf(printed, style)
    if (lines === null) return styled(doc, style).heightOfString(printed, { width: style.width, lineGap: LINE_GAP })
    const full = { ...DEFAULTS, gap: LINE_GAP, ...style }
    return [...lines].reduce((sum, line) => sum + heightsOf(fonts, line, full).height, 0)
  }
  return { draw, linesOf, heightOf }
}

const styled = (doc: Document, { weight = 'regular', size = SIZE, color = INK }: Partial<TextStyle>) =>
  doc.font(weight).fontSize(size).fillColor(color)

function drawText(doc: Document, text: string, { x, y, width, align, isOneLine, ...style }: TextStyle): number {
  const oneLine = { height: style.size ?? SIZE, ellipsis: true }
  styled(doc, style).text(text, x, y, {
    width,
    align: align === 'right' ? align : 'left',
    lineGap: LINE_GAP,
    ...(isOneLine && oneLine),
  })
  return doc.y
}

/** Method that the type package lacks. */
interface Opens {
  openImage(bytes: Buffer): { width: number; height: number }
}

function picture(
  doc: Document,
  root: Element,
  bytes: Buffer,
  { alt, right, y, width, height }: { alt: string; right: number; y: number; width: number; height: number },
): boolean {
  try {
    // Reads the picture before anything is drawn.
    const image = (doc as unknown as Opens).openImage(bytes)
    const scale = Math.min(width / image.width, height / image.height)
    const wide = image.width * scale
    const draw = () => void doc.image(bytes, right - wide, y, { width: wide })
    root.add(doc.struct('Figure', { alt }, draw))
    return true
  } catch {
    return false
  }
}

/** Returns the first line, with an ellipsis if there were more. */
function cutOff(lines: Iterable<Line>, typesetAgain: (text: string) => Iterable<Line> | null): Line[] {
  const [first, second] = lines
  if (!first || !second) return first ? [first] : []
  const clusters = Array.from(new Intl.Segmenter().segment(first.text), ({ segment }) => segment)
  for (let count = clusters.length; count > 0; count--) {
    const [line, more] = typesetAgain(`${clusters.slice(0, count).join('')}…`) ?? []
    if (line && !more) return [line]
  }
  return [first]
}
