import type { Logo } from '../../businesses/logo.ts'
import type { Cents, Currency } from '../../lib/money.ts'

export interface InvoiceLine {
  name: string
  quantity: number
  unitAmount: Cents
  /** Unit amount times quantity. */
  amount: Cents
}

/** Tax or surcharge. */
export interface InvoiceRate {
  /** Millionths: 24,000 is 2.4 %. `null` when only the amount is known. */
  ratePpm: number | null
  amount: Cents
}

export interface InvoiceCard {
  /** As cards are stored: `visa`. */
  brand: string
  last4: string
}

/** `at` is an instant, ISO 8601. `on` is a day in the time zone of the invoice. */
export type InvoicePayment =
  | { status: 'paid'; at: string; card: InvoiceCard }
  | { status: 'due'; on: string; card: InvoiceCard }

/** Everything that is printed, as it was when the invoice was issued: plain JSON. A `null` is not printed. */
export interface InvoiceData {
  seller: {
    name: string
    /** ISO 3166; decides the size of the paper and how amounts are written. */
    country: string
    /** With line breaks. */
    postalAddress: string | null
    /** With line breaks, such as GST and QST numbers. */
    taxRegistrations: string | null
    supportEmail: string | null
    supportPhone: string | null
    /** `#rrggbb` */
    brandColor: string | null
    /** Of a logo that is kept with the invoices. */
    logoHash: string | null
  }
  customer: { name: string | null; email: string | null }
  /** IANA name: in which days and times are printed. */
  timeZone: string
  currency: Currency
  lines: InvoiceLine[]
  subtotal: Cents
  tax: InvoiceRate | null
  surcharge: InvoiceRate | null
  total: Cents
  payment: InvoicePayment
  /** `of` is `null` for a subscription without end. */
  installment: { number: number; of: number | null } | null
  /** The days that are paid for; the end is exclusive. */
  period: { start: string; end: string } | null
}

export interface NewInvoice {
  businessId: string
  subscriptionId: string
  /** `null` when it is issued before the first charge. */
  paymentId: string | null
  data: InvoiceData
  /** The picture of `data.seller.logoHash`. */
  logo: Logo | null
  /** In the business's time. */
  issuedAt: Date
}

/** What a business has charged or will charge; it never changes. */
export interface Invoice extends NewInvoice {
  id: string
  /** Counts the invoices of a business from 1, without gaps. */
  number: number
}

const DIGITS = 6

/** The number as it is printed: `INV-` and six digits at least. */
export const printedNumber = ({ number }: Pick<Invoice, 'number'>) => `INV-${String(number).padStart(DIGITS, '0')}`

/** Of the attached file. */
export const invoiceFileName = (invoice: Pick<Invoice, 'number'>) => `${printedNumber(invoice)}.pdf`
