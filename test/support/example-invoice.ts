import type { Invoice, InvoiceData } from '../../server/emails/invoices/invoice.ts'
import { type InvoiceSource, invoiceData } from '../../server/emails/invoices/invoice-data.ts'
import type { Cents } from '../../server/lib/money.ts'

const cents = (amount: number) => amount as Cents

const SOURCE: InvoiceSource = {
  business: {
    name: 'Studio Café Montréal',
    country: 'CA',
    supportEmail: 'aide@studio.example',
    supportPhone: '+1 514 555 0188',
    brandColor: '#0f766e',
    logoHash: null,
  },
  postalAddress: '1250, rue Saint-Denis, bureau 400\nMontréal (Québec)  H2X 3J6\nCanada',
  taxRegistrations: 'GST/TPS 123456789 RT0001\nQST/TVQ 1234567890 TQ0001',
  customer: { name: 'Zoé Lefèvre-Nuñez', email: 'zoe@example.com' },
  timeZone: 'America/Toronto',
  currency: 'CAD',
  lines: [
    { name: 'Abonnement – accès illimité à l’atelier', quantity: 1, unitAmount: cents(4_900) },
    { name: 'Casier', quantity: 2, unitAmount: cents(1_250) },
  ],
  tax: { ratePpm: 149_750, amount: cents(1_108) },
  surcharge: { ratePpm: 24_000, amount: cents(204) },
  total: cents(8_712),
  payment: { status: 'paid', at: '2026-11-22T15:04:05.000Z', card: { brand: 'visa', last4: '4242' } },
  installment: { number: 1, of: 12 },
  period: { start: '2026-11-22', end: '2026-12-22' },
}

export const exampleInvoiceData = (given: Partial<InvoiceSource> = {}): InvoiceData =>
  invoiceData({ ...structuredClone(SOURCE), ...given })

/** Returns an invoice as if it were read from the database. */
export function exampleInvoice(given: Partial<InvoiceSource> = {}): Invoice {
  return {
    businessId: '01939000-0000-7000-8000-000000000001',
    id: '01939000-0000-7000-8000-000000000002',
    number: 42,
    subscriptionId: '01939000-0000-7000-8000-000000000003',
    paymentId: '01939000-0000-7000-8000-000000000004',
    data: exampleInvoiceData(given),
    logo: null,
    issuedAt: new Date('2026-11-22T15:04:05.000Z'),
  }
}
