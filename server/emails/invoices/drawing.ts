import type { Letter } from '../../pdf/letterhead.ts'
import type { Invoice } from './invoice.ts'
import type { InvoiceFormat } from './invoice-format.ts'
import type { InvoiceTexts } from './invoice-texts.ts'

/** What the parts of an invoice, or of a receipt, are drawn with. */
export interface Drawing extends Letter {
  invoice: Pick<Invoice, 'data' | 'logo' | 'issuedAt'>
  /** As it is printed. */
  number: string
  texts: InvoiceTexts
  format: InvoiceFormat
}
