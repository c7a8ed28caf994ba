import type { Locale } from '../../../contract/payment-page.ts'
import { drawFooters, openLetter } from '../../pdf/letterhead.ts'
import type { Drawing } from './drawing.ts'
import { type Invoice, invoiceNumber } from './invoice.ts'
import { invoiceFormat } from './invoice-format.ts'
import { drawHead } from './invoice-head.ts'
import { drawLines } from './invoice-lines.ts'
import { INVOICE_TEXTS } from './invoice-texts.ts'
import { drawTotals } from './invoice-totals.ts'

/**
 * Renders the invoice as a PDF. The same invoice in the same language always gives the same bytes, so that each attempt
 * to send a letter attaches the same file.
 *
 * @see LTR-16
 */
export function renderInvoice(invoice: Invoice, locale: Locale): Promise<Buffer> {
  return render({ invoice, number: invoiceNumber(invoice), texts: INVOICE_TEXTS[locale] }, locale)
}

/** Renders a receipt as a PDF, for a payment without an invoice, under the number that the customer was shown. */
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
  const { name, country } = data.seller
  const title = `${texts.title} ${number} – ${name}`
  // Includes the names of fields, which does no harm.
  const letter = await openLetter({
    ...{ locale, country, title, author: name, createdAt: issuedAt, printed: [JSON.stringify(data), number] },
  })
  const drawing = { ...printed, ...letter, format: invoiceFormat(data, locale) }
  const headEnd = drawHead(drawing)
  const linesEnd = drawLines(drawing, headEnd)
  drawTotals(drawing, linesEnd)
  drawFooters(letter, `${number} · ${name}`)
  return letter.sheet.bytes()
}
