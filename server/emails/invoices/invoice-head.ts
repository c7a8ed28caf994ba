import type { Drawing } from './drawing.ts'
import type { InvoiceData } from './invoice.ts'
import { dayBefore } from './invoice-format.ts'
import { fill } from './invoice-texts.ts'
import { isPrintable } from './printable-logo.ts'
import { MUTED } from './sheet.ts'

const BAR = 6
const LOGO = { width: 150, height: 44 }
const LABEL_WIDTH = 112

/**
 * Draws everything above the lines.
 *
 * @returns where the lines begin
 */
export function drawHead(drawing: Drawing): number {
  const { sheet, invoice } = drawing
  const { brandColor } = invoice.data.seller
  if (brandColor) sheet.bar(brandColor, BAR)
  const titleEnd = drawTitle(drawing)
  const partiesEnd = drawParties(drawing, titleEnd + 22)
  return drawAmount(drawing, partiesEnd + 26) + 24
}

function drawTitle(drawing: Drawing): number {
  const { sheet, page, invoice, number, texts, format } = drawing
  const { payment } = invoice.data
  const titleEnd = sheet.text(sheet.root, 'H1', texts.title, {
    ...{ x: page.left, y: page.top, width: 260 },
    ...{ size: 22, weight: 'bold' },
  })
  const brandEnd = drawBrand(drawing)
  const rows = [
    [texts.number, number],
    [texts.issuedOn, format.dayAt(invoice.issuedAt)],
    payment.status === 'paid'
      ? [texts.paidOn, format.dayAt(new Date(payment.at))]
      : [texts.dueOn, format.day(payment.on)],
  ]
  let y = titleEnd + 8
  for (const [label = '', value = ''] of rows) {
    sheet.text(sheet.root, 'P', label, { x: page.left, y, width: LABEL_WIDTH, weight: 'bold' })
    y = sheet.text(sheet.root, 'P', value, { x: page.left + LABEL_WIDTH, y, width: 200 }) + 2
  }
  return Math.max(y, brandEnd)
}

/**
 * Draws the logo, or the name where there is none that can be printed.
 *
 * @returns where it ends
 */
function drawBrand({ sheet, page, invoice, texts }: Drawing): number {
  const { name } = invoice.data.seller
  const { logo } = invoice
  const alt = fill(texts.logo, { name })
  const place = { right: page.right, y: page.top - 4, ...LOGO }
  if (logo && isPrintable(logo) && sheet.picture(logo.bytes, alt, place)) return place.y + LOGO.height
  const width = 230
  const style = { width, size: 13, weight: 'bold', color: MUTED, align: 'right' } as const
  return sheet.text(sheet.root, 'P', name, { ...style, x: page.right - width, y: page.top + 4 })
}

function drawParties({ sheet, page, invoice, texts }: Drawing, y: number): number {
  const { seller, customer } = invoice.data
  const half = (page.right - page.left) / 2
  const width = half - 16
  const column = (x: number, head: string, lines: (string | null)[]) => {
    const end = sheet.text(sheet.root, 'P', head, { x, y, width, weight: 'bold' })
    const text = lines.filter((line) => line !== null && line.trim() !== '').join('\n')
    return text === '' ? end : sheet.text(sheet.root, 'P', text, { x, y: end + 1, width })
  }
  const { name, postalAddress, supportEmail, supportPhone, taxRegistrations } = seller
  return Math.max(
    column(page.left, name, [postalAddress, supportEmail, supportPhone, taxRegistrations]),
    column(page.left + half, texts.billTo, [customer.name, customer.email]),
  )
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
