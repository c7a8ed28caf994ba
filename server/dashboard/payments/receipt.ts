import { LOCALES } from '../../../contract/payment-page.ts'
import type { Business } from '../../businesses/business.ts'
import { findLetterSettings } from '../../businesses/letter-settings-queries.ts'
import { findLogo } from '../../businesses/logo-queries.ts'
import type { Db } from '../../db/connection.ts'
import { invoiceFileName } from '../../emails/invoices/invoice.ts'
import { invoiceData } from '../../emails/invoices/invoice-data.ts'
import { findInvoiceOfPayment } from '../../emails/invoices/invoice-queries.ts'
import { INVOICE_TEXTS } from '../../emails/invoices/invoice-texts.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Cents } from '../../lib/money.ts'
import { makePdf } from '../../pdf/pdf-queue.ts'
import { type LoadedPayment, loadPayment } from './payment-detail.ts'

interface ReceiptFile {
  fileName: string
  content: Buffer
}

/**
 * Returns the PDF of a payment, in the language of the business: its invoice, as it was sent with a letter, or a
 * receipt.
 *
 * @param isGone whether the caller has hung up
 * @throws ApiError `not_found`; `conflict` for an attempt that took no money; `unavailable`
 */
export const paymentReceipt = (db: Db, business: Business, id: string, isGone?: () => boolean): Promise<ReceiptFile> =>
  makePdf(business.id, () => receiptFile(db, business, id), isGone)

async function receiptFile(db: Db, business: Business, id: string): Promise<ReceiptFile> {
  const { row, payment } = await loadPayment(db, business.id, id)
  if (!payment || payment.status === 'failed')
    throw new ApiError('conflict', { message: 'Nothing was paid, so there is no receipt' })
  const { renderInvoice, renderReceipt } = await import('../../emails/invoices/render-invoice.ts')
  const locale = LOCALES.find((one) => one === business.locale) ?? 'en'
  const invoice = await findInvoiceOfPayment(db, business.id, payment.id)
  if (invoice) return { fileName: invoiceFileName(invoice), content: await renderInvoice(invoice, locale) }
  const { receiptId, createdAt: issuedAt } = payment
  const logo = business.logoHash === null ? null : await findLogo(db, business.id)
  const data = await receiptData(db, business, { row, payment, name: INVOICE_TEXTS[locale].payment })
  return { fileName: `${receiptId}.pdf`, content: await renderReceipt({ data, logo, issuedAt }, receiptId, locale) }
}

type Paid = Pick<LoadedPayment, 'row'> & { payment: NonNullable<LoadedPayment['payment']>; name: string }

async function receiptData(db: Db, business: Business, { row, payment, name }: Paid) {
  const { amount: total, taxAmount, surchargeAmount, currency, period, createdAt } = payment
  const { postalAddress, taxRegistrations } = await findLetterSettings(db, business.id)
  const base = (total - taxAmount - surchargeAmount) as Cents
  const card = { brand: row.cardBrand ?? '', last4: row.cardLast4 ?? '' }
  return invoiceData({
    business,
    postalAddress,
    taxRegistrations,
    customer: { name: row.customerName, email: row.customerEmail },
    timeZone: business.timeZone,
    currency,
    lines: [{ name: row.description ?? name, quantity: 1, unitAmount: base }],
    tax: { ratePpm: null, amount: taxAmount },
    surcharge: { ratePpm: null, amount: surchargeAmount },
    total,
    payment: { status: 'paid', at: createdAt.toISOString(), card },
    installment: null,
    period,
  })
}
