import { type RialtoOptions, readOptions } from './options.ts'
import { AccountResource } from './resources/account.ts'
import { BatchesResource } from './resources/batches.ts'
import { CustomersResource } from './resources/customers.ts'
import { EventsResource } from './resources/events.ts'
import { PaymentMethodsResource } from './resources/payment-methods.ts'
import { PricesResource } from './resources/prices.ts'
import { ProductsResource } from './resources/products.ts'
import { RefundsResource } from './resources/refunds.ts'
import { SubscriptionsResource } from './resources/subscriptions.ts'
import { TestClockResource } from './resources/test-clock.ts'
import { VoidsResource } from './resources/voids.ts'
import { WebhookEndpointsResource } from './resources/webhook-endpoints.ts'
import { createTransport } from './transport.ts'
import { verifyWebhook } from './verify-webhook.ts'

/**
 * The merchant API of a Rialto service, for servers.
 *
 * ```ts
 * const rialto = new Rialto({ apiKey: process.env.RIALTO_API_KEY, baseUrl: 'https://api.example.com' })
 * const product = await rialto.products.create({ name: 'Plan' })
 * ```
 *
 * Amounts are integer cents, times are seconds since 1970. Methods reject with a `RialtoError`, or with a `TypeError`
 * for an invalid call.
 */
export class Rialto {
  /** Verifies requests from the service to your server. It does not need a client. */
  static readonly webhooks = { verify: verifyWebhook } as const

  readonly account: AccountResource
  readonly batches: BatchesResource
  readonly customers: CustomersResource
  readonly events: EventsResource
  readonly paymentMethods: PaymentMethodsResource
  readonly prices: PricesResource
  readonly products: ProductsResource
  readonly refunds: RefundsResource
  readonly testClock: TestClockResource
  readonly subscriptions: SubscriptionsResource
  readonly voids: VoidsResource
  readonly webhookEndpoints: WebhookEndpointsResource

  /** @throws TypeError that names the missing or wrong option */
  constructor(options: RialtoOptions) {
    const send = createTransport(readOptions(options))
    this.account = new AccountResource(send)
    this.batches = new BatchesResource(send)
    this.customers = new CustomersResource(send)
    this.events = new EventsResource(send)
    this.paymentMethods = new PaymentMethodsResource(send)
    this.prices = new PricesResource(send)
    this.products = new ProductsResource(send)
    this.refunds = new RefundsResource(send)
    this.testClock = new TestClockResource(send)
    this.subscriptions = new SubscriptionsResource(send)
    this.voids = new VoidsResource(send)
    this.webhookEndpoints = new WebhookEndpointsResource(send)
  }
}
