import type { Page } from '../../pdf/letterhead.ts'
import { MUTED, type Sheet, type TextStyle } from '../../pdf/sheet.ts'
import type { Drawing } from './drawing.ts'

type Element = Sheet['root']

/** Position and width of a column. */
interface Column {
  x: number
  width: number
  align: 'left' | 'right'
}

const GAP = 12
const NUMBERS = { quantity: 48, unitPrice: 92, amount: 92 }
const PADDING = 7
const NAME_SIZE = 9.5

function columnsOf({ left, right }: Page): Column[] {
  const amount = { x: right - NUMBERS.amount, width: NUMBERS.amount, align: 'right' as const }
  const unitPrice = { x: amount.x - GAP - NUMBERS.unitPrice, width: NUMBERS.unitPrice, align: 'right' as const }
  const quantity = { x: unitPrice.x - GAP - NUMBERS.quantity, width: NUMBERS.quantity, align: 'right' as const }
  return [{ x: left, width: quantity.x - GAP - left, align: 'left' }, quantity, unitPrice, amount]
}

/**
 * Draws the lines as a table, on as many pages as necessary, each with the header.
 *
 * @returns the position at which the table ends
 */
export function drawLines({ sheet, page, invoice, texts, format }: Drawing, from: number): number {
  const columns = columnsOf(page)
  const table = sheet.group(sheet.root, 'Table')
  const heads = [texts.description, texts.quantity, texts.unitPrice, texts.amount]
  const header = (y: number, parent: Element | null) => {
    const row = parent && sheet.group(parent, 'TR')
    const end = drawRow(sheet, row, { type: 'TH', cells: heads, columns, y, style: { size: 8, color: MUTED } })
    row?.end()
    sheet.rule(end + 3, page.left, page.right)
    return end + 3 + PADDING
  }
  let y = header(from, table)
  for (const { name, quantity, unitAmount, amount } of invoice.data.lines) {
    const cells = [name, format.count(quantity), format.money(unitAmount), format.money(amount)]
    const height = sheet.heightOf(name, { width: columns[0]?.width ?? 0, size: NAME_SIZE })
    if (y + height > page.bottom) {
      sheet.addPage()
      // The repeated header is only visual, without a tag.
      y = header(page.top, null)
    }
    const row = sheet.group(table, 'TR')
    y = drawRow(sheet, row, { type: 'TD', cells, columns, y, style: { size: NAME_SIZE } }) + PADDING
    row.end()
  }
  table.end()
  return y
}

function drawRow(
  sheet: Sheet,
  row: Element | null,
  {
    type,
    cells,
    columns,
    y,
    style,
  }: { type: 'TH' | 'TD'; cells: string[]; columns: Column[]; y: number; style: Partial<TextStyle> },
): number {
  const ends = columns.map((column, index) => sheet.text(row, type, cells[index] ?? '', { ...column, y, ...style }))
  return Math.max(...ends)
}
