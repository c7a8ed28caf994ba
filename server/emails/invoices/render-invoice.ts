import type { Locale } from '../../../contract/payment-page.ts'
import type { Drawing } from './drawing.ts'
import { type Invoice, printedNumber } from './invoice.ts'
import { invoiceFormat } from './invoice-format.ts'
import { drawHead } from './invoice-head.ts'
import { drawLines } from './invoice-lines.ts'
import { fill, INVOICE_TEXTS } from './invoice-texts.ts'
import { drawTotals } from './invoice-totals.ts'
import { MUTED, openSheet } from './sheet.ts'

const MARGIN = 48
const FOOTER = 40
const LETTER_COUNTRIES = ['US', 'CA']

/**
 * The invoice as a PDF. The same invoice in the same language makes the same bytes, so that each attempt to send a letter
 * attaches the same file.
 *
 * @see LTR-16
 */
export async function renderInvoice(invoice: Invoice, locale: Locale): Promise<Buffer> {
  const { data, issuedAt } = invoice
  const texts = INVOICE_TEXTS[locale]
  const sheet = await openSheet({
    size: LETTER_COUNTRIES.includes(data.seller.country) ? 'LETTER' : 'A4',
    title: `${texts.title} ${printedNumber(invoice)} – ${data.seller.name}`,
    author: data.seller.name,
    language: locale,
    createdAt: issuedAt,
  })
  const { width, height } = sheet
  const page = { left: MARGIN, right: width - MARGIN, top: MARGIN, bottom: height - MARGIN - FOOTER }
  const drawing = { sheet, page, invoice, texts, format: invoiceFormat(data, locale) }
  const headEnd = drawHead(drawing)
  const linesEnd = drawLines(drawing, headEnd)
  drawTotals(drawing, linesEnd)
  drawFooters(drawing)
  return sheet.bytes()
}

function drawFooters({ sheet, page, invoice, texts }: Drawing): void {
  const y = sheet.height - MARGIN
  const style = { y, size: 8, color: MUTED, width: (page.right - page.left) / 2 }
  sheet.onEachPage((number, pages) => {
    sheet.rule(y - 10, page.left, page.right)
    sheet.text(null, 'P', `${printedNumber(invoice)} · ${invoice.data.seller.name}`, { ...style, x: page.left })
    const count = fill(texts.page, { page: number, pages })
    sheet.text(null, 'P', count, { ...style, x: page.right - style.width, align: 'right' })
  })
}
