import type { Locale } from '../../../contract/payment-page.ts'
import type { Db } from '../../db/connection.ts'
import { makePdf } from '../../pdf/pdf-queue.ts'
import { invoiceFileName } from '../invoices/invoice.ts'
import { findInvoice } from '../invoices/invoice-queries.ts'
import type { Attachment } from './build-message.ts'

/**
 * Returns the invoice of a letter as a PDF, always with the same bytes.
 *
 * @throws if the invoice does not exist, or if too many PDFs are being generated
 */
export async function invoiceAttachment(
  db: Db,
  { businessId, invoiceId, locale }: { businessId: string; invoiceId: string; locale: Locale },
): Promise<Attachment> {
  return makePdf(businessId, async () => {
    const invoice = await findInvoice(db, businessId, invoiceId)
    if (!invoice) throw new Error('the invoice of a letter is missing')
    const { renderInvoice } = await import('../invoices/render-invoice.ts')
    const content = await renderInvoice(invoice, locale)
    return { fileName: invoiceFileName(invoice), mediaType: 'application/pdf', content }
  })
}
