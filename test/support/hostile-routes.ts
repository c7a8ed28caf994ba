import type { TSchema } from 'typebox'
import { CheckoutSessionCancel, CheckoutSessionCreate } from '../../contract/checkout-session.ts'
import { SavedCardSale } from '../../contract/saved-card-sale.ts'
import { RefreshTokenRequest } from '../../contract/token.ts'
import { SessionCustomer } from '../../server/checkout/name-customer.ts'
import { PayRequest } from '../../server/checkout/pay-request.ts'
import { newId } from '../../server/lib/ids.ts'
import { merchantOf, SESSION, send } from './merchant.ts'
import { sampleOf } from './schema-fields.ts'
import type { TestService } from './service.ts'
import { storeCard } from './stored-card.ts'

/** A path that takes a body, with a body that it accepts. */
export interface BodyRoute {
  name: string
  schema: TSchema
  /** Everything the schema knows, as far as it may be given together. */
  body: Record<string, unknown>
  /** A URL to post to. Nothing that is refused changes what is behind it. */
  url: string
  headers: Record<string, string>
  post(body: string, headers?: Record<string, string>): ReturnType<typeof send>
}

/** The six paths that strangers and merchants post to, each on a session of its own. */
export async function bodyRoutes(service: TestService): Promise<BodyRoute[]> {
  const { url, demo } = service
  const business = `${url}/api/${demo.business_id}`
  const token = () => merchantOf(service).sessionToken()
  const bearer = { authorization: `Bearer ${demo.access_token}` }
  const { client_id, client_secret } = demo
  return [
    routeOf('create', CheckoutSessionCreate, fullSession(), `${business}/checkout/create`, bearer),
    routeOf('cancel', CheckoutSessionCancel, {}, `${business}/checkout/${await token()}/cancel`, bearer),
    await payRoute(service),
    routeOf('customer', SessionCustomer, {}, `${url}/api/checkout/${await token()}/customer`),
    await saleRoute(service),
    routeOf('token', RefreshTokenRequest, { client_id, client_secret }, `${url}/api/oauth/token`),
  ]
}

/** Paying a new session of its own. */
export async function payRoute(service: TestService): Promise<BodyRoute> {
  const token = await merchantOf(service).sessionToken()
  return routeOf('pay', PayRequest, fullPayment(), `${service.url}/api/checkout/${token}/pay`)
}

/** Charging the stored card of a customer of its own. */
async function saleRoute(service: TestService): Promise<BodyRoute> {
  const { url, demo } = service
  const { customerId, cardId } = await storeCard(service, `${newId()}@example.com`)
  const path = `${url}/api/${demo.business_id}/customer/${customerId}/sale`
  return routeOf('sale', SavedCardSale, { cardId }, path, { authorization: `Bearer ${demo.access_token}` })
}

function routeOf(
  name: string,
  schema: TSchema,
  given: object,
  url: string,
  credentials: Record<string, string> = {},
): BodyRoute {
  const headers = { 'content-type': 'application/json', ...credentials }
  const body = { ...(sampleOf(schema) as object), ...given }
  for (const [key, value] of Object.entries(given))
    if (value === undefined) delete (body as Record<string, unknown>)[key]
  const post: BodyRoute['post'] = (text, more) =>
    send(url, { method: 'POST', headers: { ...headers, ...more }, body: text })
  return { name, schema, body, url, headers, post }
}

/** The rules that join fields (contract 4) want these; all other fields are the schema's samples. */
function fullSession() {
  return {
    ...SESSION,
    amount_total: 5,
    amount_subtotal: 5,
    amount_tax: 1,
    amount_discount: 1,
    // An unknown customer is a 404.
    customer_id: undefined,
    line_items: [{ name: 'Cup', quantity: 2, unit_amount: 2.5, total: 5, image: 'https://shop.example/cup.png' }],
    discounts: [{ name: 'Spring', code: 'SPRING', amount: 1, percent_off: 20 }],
    consent_collection: {
      terms_of_service: 'none',
      promotions: 'auto',
      payment_method_reuse_agreement: { position: 'auto' },
    },
  }
}

/** A canary, so that a log that has it is noticed; approved by the simulator. */
export const HOSTILE_CARD = '4539578763621486'
export const HOSTILE_CVV = '739'

function fullPayment() {
  const card = {
    cardNumber: HOSTILE_CARD,
    month: '12',
    year: 2031,
    nameOnCard: 'Ana Roy',
    cvv: HOSTILE_CVV,
    saveCard: false,
  }
  return {
    payment_method_type: 'new_card',
    amount: SESSION.amount_total,
    cardData: { ...card, address: { postalCode: '10001', line1: '1 Main Street' } },
    // Of no customer of this session; of no card.
    customerId: undefined,
    cardId: undefined,
    googlePayToken: undefined,
    three_ds_id: undefined,
  }
}
