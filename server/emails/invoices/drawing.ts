import type { Letter } from '../../pdf/letterhead.ts'
import type { Invoice } from './invoice.ts'
import type { InvoiceFormat } from './invoice-format.ts'
import type { InvoiceTexts } from './invoice-texts.ts'

/** Everything needed to draw the parts of an invoice or a receipt. */
export interface Drawing extends Letter {
  invoice: Pick<Invoice, 'data' | 'logo' | 'issuedAt'>
  /** Number as printed. */
  number: string
  texts: InvoiceTexts
  format: InvoiceFormat
}
