import type { Business } from '../../businesses/business.ts'
import type { Cents } from '../../lib/money.ts'
import type { InvoiceData, InvoiceLine } from './invoice.ts'

/** Data that an invoice is made from. The lines have no amount: it is unit amount times quantity. */
export interface InvoiceSource
  extends Pick<
    InvoiceData,
    'customer' | 'timeZone' | 'currency' | 'tax' | 'surcharge' | 'total' | 'payment' | 'installment' | 'period'
  > {
  business: Pick<Business, 'name' | 'country' | 'supportEmail' | 'supportPhone' | 'brandColor' | 'logoHash'>
  postalAddress: string | null
  taxRegistrations: string | null
  lines: readonly Omit<InvoiceLine, 'amount'>[]
}

/**
 * Returns everything that the invoice prints. A tax or surcharge of zero is not printed.
 *
 * @throws if lines, tax and surcharge do not add up to the total exactly: such an invoice must not be issued
 */
export function invoiceData({
  business,
  postalAddress,
  taxRegistrations,
  lines,
  ...source
}: InvoiceSource): InvoiceData {
  const { name, country, supportEmail, supportPhone, brandColor, logoHash } = business
  const printed = lines.map((line) => ({ ...line, amount: (line.unitAmount * line.quantity) as Cents }))
  const subtotal = printed.reduce((sum, { amount }) => sum + amount, 0) as Cents
  const tax = source.tax && source.tax.amount > 0 ? source.tax : null
  const surcharge = source.surcharge && source.surcharge.amount > 0 ? source.surcharge : null
  if (subtotal + (tax?.amount ?? 0) + (surcharge?.amount ?? 0) !== source.total)
    throw new Error('the lines, tax and surcharge of an invoice are not its total')
  return {
    ...source,
    seller: { name, country, postalAddress, taxRegistrations, supportEmail, supportPhone, brandColor, logoHash },
    lines: printed,
    subtotal,
    tax,
    surcharge,
  }
}
