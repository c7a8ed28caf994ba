import type { TestData } from '../../../contract/dashboard/test-tools-api.ts'
import type { Business } from '../../businesses/business.ts'
import { createPrice } from '../../catalog/create-price.ts'
import { createProduct } from '../../catalog/create-product.ts'
import type { PayServices } from '../../checkout/pay/pay-services.ts'
import { paySession } from '../../checkout/pay/pay-session.ts'
import { createPaymentLink } from '../../checkout/sessions/create-payment-link.ts'
import type { CreateServices } from '../../checkout/sessions/new-session.ts'
import type { Links } from '../../checkout/sessions/session-view.ts'
import { createCustomer } from '../../customers/create-customer.ts'
import { listStoredCards } from '../../customers/stored-card-queries.ts'
import type { LetterLimit } from '../../events/letter-limit.ts'
import { typedTestCard } from '../../gateway/simulator/typed-test-card.ts'
import { ApiError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { type Cents, decimalFromCents } from '../../lib/money.ts'
import { refundPayment } from '../../payments/refunds/refund-payment.ts'
import type { SendingServices } from '../../payments/services.ts'
import { createSubscription } from '../../subscriptions/create/create-subscription.ts'

export type SampleServices = PayServices & CreateServices & SendingServices & { links: Links; letterLimit: LetterLimit }

interface SamplePayment {
  name: string
  /** Card number that the simulator knows. */
  card: string
  amount: number
  description: string
  /** Amount to refund, in cents. */
  refund?: number
  subscribes?: boolean
}

const SAMPLES: readonly SamplePayment[] = [
  { name: 'Ana Roy', card: '4242424242424242', amount: 4_990, description: 'Two boxes of tea', subscribes: true },
  { name: 'Marc Tremblay', card: '5555555555554444', amount: 12_000, description: 'Tea pot', refund: 4_000 },
  { name: 'Lucía Pérez', card: '378282246310005', amount: 2_550, description: 'Tasting set', refund: 2_550 },
  { name: 'Sam Lee', card: '4000056655665556', amount: 1_895, description: 'Green tea, debit card' },
  { name: 'Noor Haddad', card: '4000000000000002', amount: 7_500, description: 'Declined by the bank' },
  { name: 'Eva Novak', card: '4000000000009995', amount: 30_000, description: 'Not enough money on the card' },
]

/**
 * Makes customers, payments with several outcomes, refunds and a subscription as their API calls would: through the
 * gateway, with events and letters. Each call makes other customers.
 */
export async function makeSampleData(services: SampleServices, business: Business, ip: string): Promise<TestData> {
  const made: TestData = { object: 'test_data', customers: 0, payments: 0, declined: 0, refunds: 0, subscriptions: 0 }
  const priceId = await samplePrice(services, business)
  for (const sample of SAMPLES) {
    const { customer } = await createCustomer(services, {
      business,
      input: { name: sample.name, email: emailOf(sample) },
    })
    made.customers += 1
    const paymentId = await pay(services, { business, customerId: customer.id, ip }, sample)
    if (paymentId === null) {
      made.declined += 1
      continue
    }
    made.payments += 1
    if (sample.refund !== undefined) made.refunds += await refund(services, business, paymentId, sample.refund)
    if (sample.subscribes) made.subscriptions += await subscribe(services, business, customer.id, priceId)
  }
  return made
}

const emailOf = ({ name }: SamplePayment) => {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\W+/g, '.')
  return `${plain}.${newId().slice(-6)}@example.com`
}

async function samplePrice(services: SampleServices, business: Business): Promise<string> {
  const product = await createProduct(services, { business, input: { name: 'Tea of the month', active: true } })
  const { id } = await createPrice(services, {
    business,
    input: {
      product: product.id,
      unit_amount: 1_900,
      recurring: { interval: 'month', interval_count: 1 },
      active: true,
    },
  })
  return id
}

interface SampleOrder {
  business: Business
  customerId: string
  ip: string
}

/** @returns the id of the payment; `null` if it was declined */
async function pay(
  services: SampleServices,
  { business, customerId, ip }: SampleOrder,
  { name, card, amount, description }: SamplePayment,
): Promise<string | null> {
  const total = decimalFromCents(amount as Cents)
  const input = { amount_total: total, customer_id: customerId, description, surcharge: false }
  const { token } = await createPaymentLink(services, { business, input })
  const cardData = typedTestCard(card, name)
  const body = { payment_method_type: 'new_card' as const, amount: total, cardData }
  const paid = await unlessRefused(() => paySession(services, { token, body, ip, locale: null }))
  return paid?.outcome === 'recorded' && paid.response.ok ? paid.response.result.recordID : null
}

async function refund(services: SampleServices, business: Business, paymentId: string, amount: number) {
  const made = await unlessRefused(() => refundPayment(services, { business, paymentId, amount: amount as Cents }))
  return made?.status === 'succeeded' ? 1 : 0
}

async function subscribe(services: SampleServices, business: Business, customerId: string, price: string) {
  const [card] = await listStoredCards(services.db, business.id, customerId)
  if (!card) return 0
  const input = { customer: customerId, price, payment_method: card.id }
  return (await unlessRefused(() => createSubscription(services, { business, input }))) ? 1 : 0
}

/** Returns `null` for a refusal, so that a gateway that is scripted to fail does not stop the rest. */
async function unlessRefused<Made>(make: () => Promise<Made>): Promise<Made | null> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}
