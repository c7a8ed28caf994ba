import { MUTED, type Sheet } from '../../pdf/sheet.ts'
import type { Drawing } from './drawing.ts'
import type { InvoiceRate } from './invoice.ts'
import { fill } from './invoice-texts.ts'

const WIDTH = 300
const AMOUNT_WIDTH = 100
/** Space above and below the text of a row. */
const PADDING = { above: 5, below: 3 }
const NOTES = 56

/** Draws what follows the lines, kept together on one page. */
export function drawTotals(drawing: Drawing, from: number): void {
  const { sheet, page } = drawing
  const rows = rowsOf(drawing)
  let y = from + 6
  const height = rows.reduce((sum, row) => sum + heightOf(sheet, row), 0)
  if (y + height + NOTES > page.bottom) {
    sheet.addPage()
    y = page.top
  }
  drawNotes(drawing, drawRows(drawing, rows, y) + 20)
}

interface Row {
  label: string
  amount: string
  isBold: boolean
}

function rowsOf({ invoice, texts, format }: Drawing): Row[] {
  const { subtotal, tax, surcharge, total, payment } = invoice.data
  const rated = (label: string, rate: InvoiceRate | null) =>
    rate === null
      ? []
      : [row(rate.ratePpm === null ? label : `${label} (${format.rate(rate.ratePpm)})`, format.money(rate.amount))]
  const row = (label: string, amount: string, isBold = false): Row => ({ label, amount, isBold })
  return [
    row(texts.subtotal, format.money(subtotal)),
    ...rated(texts.tax, tax),
    ...rated(texts.surcharge, surcharge),
    row(texts.total, format.money(total)),
    row(payment.status === 'paid' ? texts.amountPaid : texts.amountDue, format.moneyWithCode(total), true),
  ]
}

const LABEL_WIDTH = WIDTH - AMOUNT_WIDTH - 8
const weightOf = ({ isBold }: Row) => (isBold ? 'bold' : 'regular')

/** Returns the height of a row; long texts take several lines. */
function heightOf(sheet: Sheet, row: Row): number {
  const weight = weightOf(row)
  const label = sheet.heightOf(row.label, { width: LABEL_WIDTH, weight })
  return PADDING.above + Math.max(label, sheet.heightOf(row.amount, { width: AMOUNT_WIDTH, weight })) + PADDING.below
}

/** @returns the position at which the rows end */
function drawRows({ sheet, page }: Drawing, rows: Row[], from: number): number {
  const left = page.right - WIDTH
  const table = sheet.group(sheet.root, 'Table')
  let y = from
  for (const row of rows) {
    const { label, amount } = row
    const style = { y: y + PADDING.above, weight: weightOf(row) } as const
    const group = sheet.group(table, 'TR')
    sheet.rule(y, left, page.right)
    sheet.text(group, 'TH', label, { ...style, x: left, width: LABEL_WIDTH })
    sheet.text(group, 'TD', amount, { ...style, x: page.right - AMOUNT_WIDTH, width: AMOUNT_WIDTH, align: 'right' })
    group.end()
    y += heightOf(sheet, row)
  }
  table.end()
  return y
}

function drawNotes({ sheet, page, invoice, texts, format }: Drawing, y: number): void {
  const { payment, timeZone } = invoice.data
  const card = format.card(payment.card)
  const paid =
    payment.status === 'paid'
      ? fill(texts.paidWith, { card, date: format.dayAt(new Date(payment.at)) })
      : fill(texts.chargedTo, { card, date: format.day(payment.on) })
  const place = { x: page.left, width: page.right - page.left }
  const end = sheet.text(sheet.root, 'P', paid, { ...place, y })
  sheet.text(sheet.root, 'P', fill(texts.timeZone, { zone: timeZone }), { ...place, y: end + 3, size: 8, color: MUTED })
}
