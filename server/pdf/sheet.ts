import { loadFonts, type Weight } from './fonts.ts'

type Document = PDFKit.PDFDocument
type Element = PDFKit.PDFStructureElement

const INK = '#1a1f36'
export const MUTED = '#5b6478'
const LINE = '#d9dee7'
/** Of texts, unless given. */
const SIZE = 9

export interface TextStyle {
  x: number
  y: number
  width: number
  size?: number
  weight?: Weight
  color?: string
  align?: 'left' | 'right'
  /** What does not fit into one line is cut off. */
  isOneLine?: boolean
}

export interface SheetOptions {
  size: 'A4' | 'LETTER'
  title: string
  author: string
  language: string
  createdAt: Date
  /** A text that is longer than its page goes on between them, on further pages. */
  margins: { top: number; bottom: number }
}

/** Pages of text in embedded fonts, tagged for readers that do not see. Places are in points from the upper left. */
export interface Sheet {
  readonly width: number
  readonly height: number
  /** The structure that texts belong to. */
  readonly root: Element
  /** Makes a child of `parent`; its texts are drawn with `text`. */
  group(parent: Element, type: string): Element
  /** @returns where the text ends, on its last page */
  text(parent: Element | null, type: string, text: string, style: TextStyle): number
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

/** The same content makes the same bytes. */
export async function openSheet({ size, margins, title, author, language, createdAt }: SheetOptions): Promise<Sheet> {
  // Neither is loaded before the first document.
  const [{ default: Pdf }, { regular, bold }] = await Promise.all([import('pdfkit'), loadFonts()])
  const doc = new Pdf({
    size,
    margins: { ...margins, left: 0, right: 0 },
    bufferPages: true,
    pdfVersion: '1.7',
    // The type package does not have this one yet.
    subset: 'PDF/UA' as 'PDF/A-2a',
    tagged: true,
    lang: language,
    displayTitle: true,
    info: { Title: title, Author: author, CreationDate: createdAt, Producer: 'Rialto', Creator: 'Rialto' },
    // Or pdfkit begins with Helvetica, which it does not embed.
    font: '',
  })
  doc.registerFont('regular', regular as unknown as Buffer).registerFont('bold', bold as unknown as Buffer)
  const root = doc.struct('Document')
  doc.addStructure(root)
  return sheetOf(doc, root)
}

function sheetOf(doc: Document, root: Element): Sheet {
  const { width, height } = doc.page
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
      const printed = printable(text)
      let end = style.y
      const work = () => {
        end = drawText(doc, printed, style)
      }
      if (parent) parent.add(doc.struct(type, {}, work))
      else artifact(work)
      return end
    },
    heightOf: (text, { width: wide, ...style }) =>
      styled(doc, style).heightOfString(printable(text), { width: wide, lineGap: 2 }),
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

const styled = (doc: Document, { weight = 'regular', size = SIZE, color = INK }: Partial<TextStyle>) =>
  doc.font(weight).fontSize(size).fillColor(color)

function drawText(
  doc: Document,
  text: string,
  { x, y, width, align = 'left', isOneLine, ...style }: TextStyle,
): number {
  const oneLine = { height: style.size ?? SIZE, ellipsis: true }
  styled(doc, style).text(text, x, y, { width, align, lineGap: 2, ...(isOneLine && oneLine) })
  return doc.y
}

/** The type package does not have it. */
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
    // Reads it before anything is drawn.
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

/** Line breaks stay. Characters that are not printed or turn the direction of the text go. */
const printable = (text: string) => text.normalize('NFC').replace(/[^\P{C}\n]/gu, '')
