import type { Invoice } from './invoice.ts'
import type { InvoiceFormat } from './invoice-format.ts'
import type { InvoiceTexts } from './invoice-texts.ts'
import type { Sheet } from './sheet.ts'

export interface Page {
  left: number
  right: number
  /** Where the content of further pages begins. */
  top: number
  /** Content ends above it. */
  bottom: number
}

/** What the parts of an invoice, or of a receipt, are drawn with. */
export interface Drawing {
  sheet: Sheet
  page: Page
  invoice: Pick<Invoice, 'data' | 'logo' | 'issuedAt'>
  /** As it is printed. */
  number: string
  texts: InvoiceTexts
  format: InvoiceFormat
}
