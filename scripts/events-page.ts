import type { EventEnvelope, EventType } from '../contract/event.ts'
import { EVENT_CATALOGUE } from '../contract/event-catalogue.ts'

// Generates the page docs/reference/events.md from the table and the examples of the OpenAPI document.

interface Section {
  title: string
  prefix: string
  /** Description of the event's object. */
  object: string
}

const SECTIONS: Section[] = [
  {
    title: 'Checkout sessions',
    prefix: 'checkout.session.',
    object: `The session as \`GET …/checkout/{session}/details\` shows it, with \`transaction\` inside; without \`token\`
and \`checkout_url\`, which open the session; with the last four digits of the card. Amounts in major units.`,
  },
  {
    title: 'Saved-card sales',
    prefix: 'sale.',
    object: 'The sale; `id` is the `recordID` of the response. Amounts in major units.',
  },
  { title: 'Customers', prefix: 'customer.', object: 'The customer.' },
  { title: 'Payment methods', prefix: 'payment_method.', object: 'The card on file.' },
  { title: 'Products', prefix: 'product.', object: 'The product, without its prices.' },
  { title: 'Prices', prefix: 'price.', object: 'The price.' },
  { title: 'Subscriptions', prefix: 'subscription.', object: 'The subscription.' },
  {
    title: 'Payments',
    prefix: 'payment.',
    object: `The payment. \`subscription\` is \`null\` for a refund or void of a payment that belongs to none. A
payment of a checkout session or a saved-card sale is reported by those events, not by \`payment.succeeded\`.`,
  },
  {
    title: 'Refunds',
    prefix: 'refund.',
    object: 'The refund. One that was made is reported by the event of its payment.',
  },
  { title: 'Batches', prefix: 'batch.', object: 'The batch.' },
  { title: 'Endpoints', prefix: 'ping', object: 'The webhook endpoint.' },
]

interface Printed {
  webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { example: EventEnvelope } } } } }>
}

/**
 * Returns the text of the page.
 *
 * @param document the OpenAPI document
 */
export function eventsPage({ webhooks }: Printed): string {
  const exampleOf = (type: EventType) => {
    const example = webhooks[type]?.post.requestBody.content['application/json'].example
    if (!example) throw new Error(`The document has no webhook ${type}`)
    return example
  }
  return [HEAD, indexOf(), ...SECTIONS.map((section) => sectionOf(section, exampleOf))].join('\n')
}

const HEAD = `# Events

Every change that Rialto records, as webhooks deliver it and \`GET /api/v1/events\` lists it. How to receive them:
[webhooks](../guides/webhooks.md). The rules: [specification](../specification/events-and-webhooks.md).

This page is generated from \`contract/event-catalogue.ts\` by \`npm run docs:events\`; a test compares the two. The OpenAPI
document has the schema of each event under \`webhooks\`, and the SDK has its type.

| Member | |
|---|---|
| \`id\` | the same in every delivery: handle each id once |
| \`type\` | one of the types below. Later versions send further types: ignore those that you do not know |
| \`created\` | in seconds since 1970, in the time of the business: its test clock counts |
| \`livemode\` | \`false\` in staging |
| \`sequence\` | counts the events of one object from 1, without gaps. An event with a lower one than you have handled is stale |
| \`data.object\` | the object after the change, as the API shows it |
| \`data.previous_attributes\` | what an update has changed, as it was |
| \`data.refund\` | the refund, in the events of a refunded payment |

An event has a brand and the last four digits of a card at most; of a card on file also the expiry.
`

function indexOf(): string {
  const rows = SECTIONS.map(({ title, prefix }) => {
    const types = typesOf(prefix).map((type) => `\`${type}\``)
    return `| [${title}](#${title.toLowerCase().replaceAll(' ', '-')}) | ${types.join(' ')} |`
  })
  return `| Object | Types |\n|---|---|\n${rows.join('\n')}\n`
}

const typesOf = (prefix: string) =>
  (Object.keys(EVENT_CATALOGUE) as EventType[]).filter((type) => type.startsWith(prefix))

function sectionOf({ title, prefix, object }: Section, exampleOf: (type: EventType) => EventEnvelope): string {
  const [first, ...others] = typesOf(prefix)
  if (!first) throw new Error(`No type begins with ${prefix}`)
  const example = exampleOf(first)
  return [
    `## ${title}\n\n\`data.object\`: ${object.charAt(0).toLowerCase()}${object.slice(1)}\n`,
    `### ${first}\n\n${EVENT_CATALOGUE[first].when}\n\n${json(example)}`,
    ...others.map((type) => `### ${type}\n\n${EVENT_CATALOGUE[type].when}\n${difference(example, exampleOf(type))}`),
  ].join('\n')
}

/** Returns the parts of the data that differ from the first example of the section. */
function difference(first: EventEnvelope, { data }: EventEnvelope): string {
  const { object, ...more } = data
  const known = first.data.object
  const changed = Object.entries(object).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]),
  )
  const shown = { ...(changed.length > 0 && { object: Object.fromEntries(changed) }), ...more }
  if (Object.keys(shown).length === 0) return ''
  return `\nWhat differs in \`data\`:\n\n${json(shown)}`
}

const json = (value: object) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`
