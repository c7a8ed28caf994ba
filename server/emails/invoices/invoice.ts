import type { Logo } from '../../businesses/logo.ts'
import type { Cents, Currency } from '../../lib/money.ts'

export interface InvoiceLine {
  name: string
  quantity: number
  unitAmount: Cents
  /** Unit amount times quantity. */
  amount: Cents
}

/** Tax or surcharge, with its rate. */
export interface InvoiceRate {
  /** Rate in millionths: 24,000 is 2.4 %. `null` if only the amount is known. */
  ratePpm: number | null
  amount: Cents
}

export interface InvoiceCard {
  /** Code of the brand on stored cards: `visa`. */
  brand: string
  last4: string
}

/** Status of the payment. `at` is an instant, ISO 8601; `on` is a day in the invoice's time zone. */
export type InvoicePayment =
  | { status: 'paid'; at: string; card: InvoiceCard }
  | { status: 'due'; on: string; card: InvoiceCard }

/** Everything printed on the invoice, as of its issue, as plain JSON. A `null` is not printed. */
export interface InvoiceData {
  seller: {
    name: string
    /** ISO 3166; determines the paper size and the format of amounts. */
    country: string
    /** Address with line breaks. */
    postalAddress: string | null
    /** Numbers such as GST and QST, with line breaks. */
    taxRegistrations: string | null
    supportEmail: string | null
    supportPhone: string | null
    /** `#rrggbb` */
    brandColor: string | null
    /** Hash of a logo that is stored with the invoices. */
    logoHash: string | null
  }
  customer: { name: string | null; email: string | null }
  /** IANA name of the zone in which days and times are printed. */
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
  /** Days that are paid for; the end is exclusive. */
  period: { start: string; end: string } | null
}

export interface NewInvoice {
  businessId: string
  subscriptionId: string
  /** `null` if the invoice is issued before the first charge. */
  paymentId: string | null
  data: InvoiceData
  /** Picture whose hash is `data.seller.logoHash`. */
  logo: Logo | null
  /** Time of issue, in the business's time. */
  issuedAt: Date
}

/** Invoice for what a business has charged or will charge; it never changes. */
export interface Invoice extends NewInvoice {
  id: string
  /** Number among the invoices of a business, starting at 1, without gaps. */
  number: number
}

const DIGITS = 6

/** Returns the number as printed: `INV-` and at least six digits. */
export const invoiceNumber = ({ number }: Pick<Invoice, 'number'>) => `INV-${String(number).padStart(DIGITS, '0')}`

/** Returns the name of the attached file. */
export const invoiceFileName = (invoice: Pick<Invoice, 'number'>) => `${invoiceNumber(invoice)}.pdf`
