import { equal } from 'node:assert/strict'
import Type, { type TSchema } from 'typebox'
import { BatchSettle } from '../../contract/batch.ts'
import { CheckoutSessionCancel, CheckoutSessionCreate } from '../../contract/checkout-session.ts'
import { CustomerCreate, CustomerUpdate } from '../../contract/customer.ts'
import { PriceCreate, PriceUpdate } from '../../contract/price.ts'
import { ProductCreate, ProductUpdate } from '../../contract/product.ts'
import { SavedCardSale } from '../../contract/saved-card-sale.ts'
import { DddAuthenticateRequest } from '../../contract/three-ds.ts'
import { RefreshTokenRequest } from '../../contract/token.ts'
import { SessionCustomer } from '../../server/checkout/form/identify-customer.ts'
import { PayRequest } from '../../server/checkout/pay/pay-request.ts'
import { DddInitRequest } from '../../server/checkout/three-ds/init-request.ts'
import { newId } from '../../server/lib/ids.ts'
import { BILLING_ROUTES, billingRoutes } from './hostile-billing-routes.ts'
import { type BodyRoute, routeOf } from './hostile-route.ts'
import { WEBHOOK_ROUTES, webhookRoutes } from './hostile-webhook-routes.ts'
import { merchantOf, type Response, SESSION } from './merchant.ts'
import { merchantApiOf } from './merchant-api.ts'
import { assertMerchantRefused } from './merchant-refusal.ts'
import { assertRefused } from './refusal.ts'
import type { TestService } from './service.ts'
import { storeCard } from './stored-card.ts'
import { makeAuthentication } from './three-ds.ts'

const CHECKOUT_ROUTES = ['create', 'cancel', 'pay', 'ddd/init', 'ddd/authenticate', 'customer', 'sale', 'token']
const MERCHANT_ROUTES = [
  'customers',
  'customers/id',
  'products',
  'products/id',
  'prices',
  'prices/id',
  ...WEBHOOK_ROUTES,
  ...BILLING_ROUTES,
]

/** Names of `bodyRoutes`, for tests that are named before a service exists. */
export const BODY_ROUTES = [...CHECKOUT_ROUTES, ...MERCHANT_ROUTES, 'batch/settle']

/** Returns every path with a request body, public or for merchants, each with its own object. */
export async function bodyRoutes(service: TestService): Promise<BodyRoute[]> {
  // The settlement is last: a settled payment cannot be voided.
  const routes = [...(await checkoutRoutes(service)), ...(await merchantRoutes(service)), await batchRoute(service)]
  equal(routes.map(({ name }) => name).join(), BODY_ROUTES.join())
  return routes
}

async function checkoutRoutes(service: TestService): Promise<BodyRoute[]> {
  const { url, demo } = service
  const business = `${url}/api/${demo.business_id}`
  const token = () => merchantOf(service).sessionToken()
  const bearer = { authorization: `Bearer ${demo.access_token}` }
  const { client_id, client_secret } = demo
  return [
    of('create', CheckoutSessionCreate, fullSession(), `${business}/checkout/create`, bearer),
    {
      // It does not need a reason, and so no body.
      ...of('cancel', CheckoutSessionCancel, {}, `${business}/checkout/${await token()}/cancel`, bearer),
      emptyBody: 'acts',
    },
    await payRoute(service),
    ...(await threeDsRoutes(service)),
    of('customer', SessionCustomer, {}, `${url}/api/checkout/${await token()}/customer`),
    await saleRoute(service),
    {
      ...of(
        'token',
        RefreshTokenRequest,
        { client_id, client_secret, scope: 'customers:read' },
        `${url}/api/oauth/token`,
      ),
      okStatus: 401,
    },
  ]
}

async function merchantRoutes(service: TestService): Promise<BodyRoute[]> {
  const api = merchantApiOf(service)
  const { id: product } = await api.made('/products', { name: 'Gold' })
  const { id: customer } = await api.made('/customers', { name: 'Ana' })
  const { id: price } = await api.made('/prices', { product, unit_amount: 100 })
  // Unique, because the e-mail address of another customer is a conflict.
  const email = `${newId()}@example.com`
  const fixed = { product: undefined, unit_amount: undefined, currency: undefined, recurring: undefined }
  const of = (name: string, schema: TSchema, given: Record<string, unknown>, path = name) => {
    const credentials = { authorization: `Bearer ${service.demo.api_key}` }
    const url = `${service.url}/api/v1/${path}`
    // A change need not change anything.
    const kind = name.endsWith('/id')
      ? ({ method: 'PATCH', okStatus: 200, emptyBody: 'accepted' } as const)
      : ({ method: 'POST', okStatus: 201 } as const)
    return routeOf({ name, schema, given, url, credentials, ...kind })
  }
  return [
    of('customers', CustomerCreate, { email: `${newId()}@example.com` }),
    of('customers/id', CustomerUpdate, { email }, `customers/${customer}`),
    of('products', ProductCreate, {}),
    of('products/id', ProductUpdate, {}, `products/${product}`),
    of('prices', PriceCreate, { product, currency: undefined }),
    of('prices/id', PriceUpdate, fixed, `prices/${price}`),
    ...(await webhookRoutes(service)),
    ...(await billingRoutes(service)),
  ]
}

/** The merchant API's codes for error codes of the OAuth family. */
const MERCHANT_CODES: Record<string, string> = { validation_failed: 'parameter_invalid' }

export const isMerchantRoute = ({ name }: BodyRoute): boolean => MERCHANT_ROUTES.includes(name)

/**
 * Asserts an error in the envelope of the path's family.
 *
 * @param fields all fields that the error names; the merchant API names the first
 */
export function assertBodyRefused(
  route: BodyRoute,
  response: Response,
  status: number,
  code: string,
  fields?: string[],
): void {
  const [param = response.body.error?.param] = fields ?? []
  const v1 = MERCHANT_CODES[code] ?? code
  if (isMerchantRoute(route)) assertMerchantRefused(response, status, v1, param === 'body' ? null : param)
  else assertRefused(response, status, code, fields)
}

/** Returns the code of an error in either envelope. */
export const codeOf = ({ body }: Pick<Response, 'body'>): string | undefined => body.error?.code ?? body.code

/** Pays a new session. */
async function payRoute(service: TestService): Promise<BodyRoute> {
  const token = await merchantOf(service).sessionToken()
  const url = `${service.url}/api/checkout/${token}/pay`
  // The code of a saved card is ignored beside a typed one, whatever its shape (CHK-133).
  const schema = Type.Omit(PayRequest, ['cvv'])
  return routeOf({ name: 'pay', schema, given: fullPayment(), url, fresh: () => payRoute(service) })
}

/**
 * The 3-D Secure routes. The demo business needs no authentication: init says so, and authenticate reports an existing
 * one.
 */
async function threeDsRoutes(service: TestService): Promise<BodyRoute[]> {
  const { url, demo } = service
  const session_token = await merchantOf(service).sessionToken()
  const ddd_session_id = `ddd_${await makeAuthentication(service, session_token)}`
  const { customerId: _id, three_ds_id: _run, ...payment } = fullPayment()
  const { cvv: _cvv, saveCard: _save, ...cardData } = payment.cardData
  const path = `${url}/api/${demo.business_id}/ddd`
  return [
    of('ddd/init', DddInitRequest, { ...payment, cardData, session_token }, `${path}/init`),
    of('ddd/authenticate', DddAuthenticateRequest, { session_token, ddd_session_id }, `${path}/authenticate`),
  ]
}

/** Settles the open batch, which holds the payments of the other routes. */
async function batchRoute(service: TestService): Promise<BodyRoute> {
  const { url, demo } = service
  const given = { currency: 'USD', expected_net_amount: undefined }
  const path = `${url}/api/${demo.business_id}/batch/settle`
  const bearer = { authorization: `Bearer ${demo.access_token}` }
  const fresh = async () => {
    await storeCard(service, `${newId()}@example.com`)
    return batchRoute(service)
  }
  return { ...of('batch/settle', BatchSettle, given, path, bearer), emptyBody: 'acts', fresh }
}

/** Charges the stored card of a new customer. */
async function saleRoute(service: TestService): Promise<BodyRoute> {
  const { url, demo } = service
  const { customerId, cardId } = await storeCard(service, `${newId()}@example.com`)
  const path = `${url}/api/${demo.business_id}/customer/${customerId}/sale`
  return of('sale', SavedCardSale, { cardId }, path, { authorization: `Bearer ${demo.access_token}` })
}

const of = (
  name: string,
  schema: TSchema,
  given: Record<string, unknown>,
  url: string,
  credentials: Record<string, string> = {},
): BodyRoute => routeOf({ name, schema, given, url, credentials })

/** Returns values that the rules across fields require (CHK-9). All other fields are samples of the schema. */
function fullSession() {
  return {
    ...SESSION,
    amount_total: 5,
    amount_subtotal: 5,
    amount_tax: 1,
    amount_discount: 1,
    // Omitted, because an unknown customer is a 404.
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

/** A canary number, so that a log that contains it is noticed. The simulator approves it. */
export const HOSTILE_CARD = '4539578763621486'
export const HOSTILE_CVV = '739'

const ADDRESS = {
  name: 'Ana Roy',
  line1: '1 Main Street',
  line2: 'x',
  city: 'Troy',
  state: 'NY',
  postal_code: '12180',
  country: 'US',
}

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
    billing_address: { ...ADDRESS },
    shipping_address: { ...ADDRESS },
    // Omitted, because they refer to another customer and another card.
    customerId: undefined,
    cardId: undefined,
    cvv: undefined,
    googlePayToken: undefined,
    three_ds_id: undefined,
  }
}
