// Programs of a merchant who has installed the SDK, compiled and run without the rest of Rialto.

/**
 * A program that runs in every runtime. `settings` has the service's URL, a key and a signed webhook; the test compares
 * the result.
 */
export const STORY = `
import { NotFoundError, Rialto, RialtoError, ValidationError, type Customer } from '@rialto/sdk'

export interface Settings {
  url: string
  key: string
  webhook: { body: string; headers: Record<string, string>; secret: string }
}

export async function tellStory({ url, key, webhook }: Settings) {
  const rialto = new Rialto({ apiKey: key, baseUrl: url })
  const { business_name, api_key_last_four } = await rialto.account.retrieve()

  const product = await rialto.products.create({ name: 'Plan', metadata: { tier: 1, trial: false } })
  const recurring = { interval: 'month', interval_count: 3 } as const
  const price = await rialto.prices.create({ product: product.id, unit_amount: 2500, recurring })
  const { prices } = await rialto.products.retrieve(product.id)
  const renamed = await rialto.products.update(product.id, { name: 'Plan B', metadata: null })

  const emails = Array.from({ length: 25 }, (_, index) => \`story-\${index}@example.com\`)
  for (const email of emails) await rialto.customers.create({ email })
  const known = await rialto.customers.create({ email: 'STORY-3@example.com', name: 'Somebody' })
  const listed: Customer[] = []
  for await (const customer of rialto.customers.list({ limit: 10 })) listed.push(customer)
  const page = await rialto.customers.list()
  const second = await page.nextPage()
  const third = await second?.nextPage()

  const event = await Rialto.webhooks.verify(webhook.body, webhook.headers, webhook.secret)

  return {
    lastFour: api_key_last_four,
    business: business_name.length > 0,
    made: [product.name, product.metadata, prices.map(({ id }) => id === price.id), price.unit_amount, price.currency],
    recurring: price.recurring,
    renamed: [renamed.name, renamed.metadata],
    known: known.name,
    listed: listed.map(({ email }) => email),
    pages: [page.data.length, second?.data.length, third?.data.length, third?.has_more, await third?.nextPage()],
    cards: (await rialto.customers.listPaymentMethods(known.id)).data,
    event: event.type === 'customer.created' ? event.data.object.name : event.type,
    refused: await Promise.all(
      [
        rialto.products.retrieve('0199d3c2-7a00-7000-8000-000000000009').catch((error) => error instanceof NotFoundError),
        refusalOf(rialto.prices.create({ product: product.id, unit_amount: 0 })),
        refusalOf(rialto.prices.create({ product: product.id, unit_amount: 1, recurring: { ...recurring, interval_count: 2 } })),
        refusalOf(rialto.customers.list({ limit: 101 }).page()),
        refusalOf(new Rialto({ apiKey: key.slice(0, -4) + 'AAAA', baseUrl: url }).account.retrieve()),
        refusalOf(Rialto.webhooks.verify(webhook.body + ' ', webhook.headers, webhook.secret)),
      ],
    ),
  }
}

async function refusalOf(request: Promise<unknown>): Promise<unknown> {
  try {
    return await request
  } catch (error) {
    if (!(error instanceof RialtoError)) throw error
    return [error.name, error.status, error.code, error instanceof ValidationError ? error.param : null]
  }
}
`

/** Runs the program in Node. */
export const MAIN = `
import { text } from 'node:stream/consumers'
import { tellStory } from './story.ts'
process.stdout.write(JSON.stringify(await tellStory(JSON.parse(await text(process.stdin)))))
`

/** Code that the types must accept, and code that they must reject. */
export const TYPES = `
import { type ErrorCode, type EventOf, type EventType, type Page, Rialto, type RialtoEvent, type Product } from '@rialto/sdk'

const rialto = new Rialto({ apiKey: undefined as string | undefined, baseUrl: new URL('https://api.example') })
export const first: Promise<Page<Product>> = rialto.products.list({ active: true }).page()
export const code: ErrorCode = 'a code of a later version'

export async function checks(event: RialtoEvent) {
  const { data, has_more } = await rialto.products.list()
  // @ts-expect-error a list has no prices
  data[0]?.prices
  // @ts-expect-error a page is read only
  data.pop()
  // @ts-expect-error an amount is a number
  await rialto.prices.create({ product: '1', unit_amount: '2500' })
  // @ts-expect-error the currency is the business's
  await rialto.prices.create({ product: '1', unit_amount: 2500, currency: 'usd' })
  // @ts-expect-error an amount stays what it is
  await rialto.prices.update('1', { unit_amount: 1 })
  // @ts-expect-error there is no such interval
  await rialto.prices.create({ product: '1', unit_amount: 1, recurring: { interval: 'fortnight' } })
  // @ts-expect-error cards are stored by the form
  await rialto.paymentMethods.create({})
  switch (event.type) {
    case 'price.updated':
      return [event.data.object.unit_amount.toFixed(), event.data.previous_attributes?.active, has_more]
    case 'payment.refunded':
      return [event.data.refund.amount.toFixed(), event.data.object.refunded_amount.toFixed()]
    case 'payment.voided':
      // @ts-expect-error only refunds have one
      return [event.data.refund]
    case 'checkout.session.completed':
      // @ts-expect-error a token opens the session
      event.data.object.token
      return [event.data.object.transaction?.details.amount.toFixed(), event.data.object.line_items[0]?.name.length]
    case 'sale.succeeded':
    case 'sale.failed':
      return [event.data.object.amount.toFixed(), event.data.object.receipt_id]
    case 'refund.failed':
      return [event.data.object.failure_reason === 'declined']
    case 'batch.settled':
      return [event.data.object.net_amount.toFixed()]
    case 'subscription.paused':
      return [event.data.object.pause?.paid_through_at.toFixed(), event.data.previous_attributes?.next_billing_at]
    case 'ping':
      return [event.data.object.url.length]
    // @ts-expect-error there is no such event
    case 'price.exploded':
      return []
    default:
      return []
  }
}

export const cents: { [Type in EventType]?: (event: EventOf<Type>) => number } = {
  'payment.succeeded': ({ data }) => data.object.amount,
  // @ts-expect-error a customer has no amount
  'customer.created': ({ data }) => data.object.amount,
}
`
