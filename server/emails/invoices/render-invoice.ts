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
 * The invoice as a PDF. The same invoice in the same language makes the same bytes, so that each attempt to send a
 * letter attaches the same file.
 *
 * @see LTR-16
 */
export function renderInvoice(invoice: Invoice, locale: Locale): Promise<Buffer> {
  return render({ invoice, number: printedNumber(invoice), texts: INVOICE_TEXTS[locale] }, locale)
}

/** A receipt as a PDF: of a payment that has no invoice, under the number that the customer was shown. */
export function renderReceipt(
  receipt: Pick<Invoice, 'data' | 'logo' | 'issuedAt'>,
  number: string,
  locale: Locale,
): Promise<Buffer> {
  const { receiptTitle: title, receiptNumber } = INVOICE_TEXTS[locale]
  return render({ invoice: receipt, number, texts: { ...INVOICE_TEXTS[locale], title, number: receiptNumber } }, locale)
}

async function render(printed: Pick<Drawing, 'invoice' | 'number' | 'texts'>, locale: Locale): Promise<Buffer> {
  const { invoice, number, texts } = printed
  const { data, issuedAt } = invoice
  const sheet = await openSheet({
    size: LETTER_COUNTRIES.includes(data.seller.country) ? 'LETTER' : 'A4',
    title: `${texts.title} ${number} – ${data.seller.name}`,
    author: data.seller.name,
    language: locale,
    createdAt: issuedAt,
  })
  const { width, height } = sheet
  const page = { left: MARGIN, right: width - MARGIN, top: MARGIN, bottom: height - MARGIN - FOOTER }
  const drawing = { ...printed, sheet, page, format: invoiceFormat(data, locale) }
  const headEnd = drawHead(drawing)
  const linesEnd = drawLines(drawing, headEnd)
  drawTotals(drawing, linesEnd)
  drawFooters(drawing)
  return sheet.bytes()
}

function drawFooters({ sheet, page, invoice, number: printed, texts }: Drawing): void {
  const y = sheet.height - MARGIN
  const style = { y, size: 8, color: MUTED, width: (page.right - page.left) / 2 }
  sheet.onEachPage((number, pages) => {
    sheet.rule(y - 10, page.left, page.right)
    sheet.text(null, 'P', `${printed} · ${invoice.data.seller.name}`, { ...style, x: page.left, isOneLine: true })
    const count = fill(texts.page, { page: number, pages })
    sheet.text(null, 'P', count, { ...style, x: page.right - style.width, align: 'right' })
  })
}
