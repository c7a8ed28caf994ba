import { drawBrand, drawFacts, drawParties, type Fact } from '../../pdf/letterhead.ts'
import { MUTED } from '../../pdf/sheet.ts'
import type { Drawing } from './drawing.ts'
import type { InvoiceData } from './invoice.ts'
import { dayBefore } from './invoice-format.ts'
import { fill } from './invoice-texts.ts'

/**
 * Draws everything above the lines.
 *
 * @returns the position at which the lines begin
 */
export function drawHead(drawing: Drawing): number {
  const titleEnd = drawTitle(drawing)
  const partiesEnd = drawSides(drawing, titleEnd + 22)
  return drawAmount(drawing, partiesEnd + 26) + 24
}

function drawTitle(drawing: Drawing): number {
  const { sheet, page, invoice, number, texts, format } = drawing
  const { payment } = invoice.data
  const titleEnd = sheet.text(sheet.root, 'H1', texts.title, {
    ...{ x: page.left, y: page.top, width: 260 },
    ...{ size: 22, weight: 'bold' },
  })
  const brandEnd = drawBrand(drawing, { ...invoice.data.seller, logo: invoice.logo })
  const rows: Fact[] = [
    [texts.number, number],
    [texts.issuedOn, format.dayAt(invoice.issuedAt)],
    payment.status === 'paid'
      ? [texts.paidOn, format.dayAt(new Date(payment.at))]
      : [texts.dueOn, format.day(payment.on)],
  ]
  return Math.max(drawFacts(drawing, titleEnd + 8, rows), brandEnd)
}

function drawSides(drawing: Drawing, y: number): number {
  const { invoice, texts } = drawing
  const { seller, customer } = invoice.data
  const { name, postalAddress, supportEmail, supportPhone, taxRegistrations } = seller
  return drawParties(drawing, y, [
    { head: name, lines: [postalAddress, supportEmail, supportPhone, taxRegistrations] },
    { head: texts.billTo, lines: [customer.name, customer.email] },
  ])
}

function drawAmount(drawing: Drawing, y: number): number {
  const { sheet, page, invoice, texts, format } = drawing
  const { payment, total } = invoice.data
  const amount = format.moneyWithCode(total)
  const text =
    payment.status === 'paid'
      ? fill(texts.paid, { amount, date: format.dayAt(new Date(payment.at)) })
      : fill(texts.due, { amount, date: format.day(payment.on) })
  const width = page.right - page.left
  const end = sheet.text(sheet.root, 'H2', text, { x: page.left, y, width, size: 16, weight: 'bold' })
  const about = [installmentOf(drawing), periodOf(drawing)].filter((part) => part !== null).join('  ·  ')
  return about === '' ? end : sheet.text(sheet.root, 'P', about, { x: page.left, y: end + 3, width, color: MUTED })
}

function installmentOf({ invoice, texts }: Drawing): string | null {
  const { installment }: InvoiceData = invoice.data
  if (installment === null) return null
  const { number, of } = installment
  return of === null ? fill(texts.paymentNumber, { number }) : fill(texts.installmentOf, { number, of })
}

function periodOf({ invoice, texts, format }: Drawing): string | null {
  const { period } = invoice.data
  if (period === null) return null
  return fill(texts.period, { start: format.day(period.start), end: format.day(dayBefore(period.end)) })
}
