import type { Route } from '../../server/http/route.ts'
import { dashboardName, type Furnished, neededQuery } from './furnished.ts'
import { type Field, fieldsOf, type JsonSchema } from './schema-fields.ts'

// Every place in a body or a query where a call of the dashboard accepts an id of an object.

/** A place for an id. */
export interface IdPlace {
  route: Route
  where: 'body' | 'query'
  path: string[]
  /** Kind of the object, as the path before its id: `payment_methods`. */
  kind: string
}

/**
 * Returns the places in the schemas, and those where an id is accepted as text. The id at which a redelivery continues
 * is only a time, and no row is looked up.
 */
export function idPlacesOf(routes: readonly Route[]): IdPlace[] {
  return routes.flatMap((route) =>
    (['body', 'query'] as const).flatMap((where) =>
      (route[where] ? fieldsOf(route[where]) : [])
        .filter((field) => !(field.name === 'starting_after' && where === 'body'))
        .filter((field) => isId(field) || AS_TEXT[`${dashboardName(route)} ${field.name}`])
        .map(({ path, name }) => ({ route, where, path, kind: kindOf(route, path, name) })),
    ),
  )
}

const isId = ({ schema }: Field) =>
  [schema, ...(schema.anyOf ?? [])].some(({ format }: JsonSchema) => format === 'uuid')

/** Places that accept more than ids. */
const AS_TEXT: Record<string, string> = {
  'GET /audit actor': 'team/members',
  'GET /customers search': 'customers',
  'GET /catalog/figures products': 'products',
  'GET /contracts search': 'contracts',
  'GET /products q': 'products',
  'GET /prices/search q': 'prices',
}

/** Kinds of objects whose ids have a different name. */
const NAMED: Record<string, string> = {
  'POST /team/ownership user_id': 'team/members',
  'GET /refusals credential': 'api_keys',
  'GET /events object': 'payments',
  'POST /refusals/export credential': 'api_keys',
  'POST /events/export object': 'payments',
  'GET /batches/{id}/payments starting_after': 'payments',
  'GET /batches/{id}/payments ending_before': 'payments',
  'GET /branding/preview draft': 'branding/drafts',
  'POST /products/archive items.0.id': 'products',
  'POST /prices/archive items.0.id': 'prices',
  'POST /webhook_endpoints/{id}/deliveries/redeliver events.0': 'events',
}

function kindOf(route: Route, path: readonly string[], name: string): string {
  const whole = dashboardName(route)
  const known = AS_TEXT[`${whole} ${name}`] ?? NAMED[`${whole} ${name}`]
  const last = (path.at(-1) ?? '').replace(/_id$/, '')
  if (known) return known
  if (['starting_after', 'ending_before'].includes(last))
    return /\/deliveries|\/redeliver|\/refusals/.test(whole) ? 'events' : listed(whole)
  return last === 'batch' ? 'batches' : `${last}s`
}

const listed = (name: string) => name.split('/')[1] ?? ''

/** Returns the body that a call needs besides the id; its other ids belong to the business itself. */
export function neededBody(name: string, own: Furnished): Record<string, unknown> {
  const { customers: customer, prices: price, payment_methods: card } = own
  const subscription = { customer, price, payment_method: card }
  const bodies: Record<string, Record<string, unknown>> = {
    'POST /prices': { unit_amount: 100 },
    'POST /contracts': { customer, title: 'Terms', text: 'I agree.' },
    'POST /contracts/preview': { customer, text: 'x' },
    'POST /sales/preview': { customer, payment_method: card, amount: 100 },
    'POST /sales': { customer, payment_method: card, amount: 100 },
    'POST /checkout_sessions': { amount_total: 100 },
    'POST /subscriptions': subscription,
    'POST /subscriptions/preview': subscription,
    'POST /team/ownership': { business_name: 'Demo Shop' },
    'POST /webhook_endpoints/{id}/redeliver': { since: 0 },
    'POST /webhook_endpoints/{id}/redeliver/preview': { since: 0 },
  }
  return bodies[name] ?? {}
}

/** Returns what the call sends with this id. */
export function sentWith({ route, where, path }: IdPlace, id: string, own: Furnished) {
  const name = dashboardName(route)
  if (where === 'query') return { query: { ...neededQuery(name, own), [path.join('.')]: id } }
  const body = neededBody(name, own)
  if (name.endsWith('/archive')) return { body: { active: false, items: [{ id, version: 'x' }] } }
  if (path[0] === 'events') return { body: { events: [id] } }
  if (path[0] !== 'items') return { body: { ...body, [path.join('.')]: id } }
  const { price: _replaced, ...rest } = body
  return { body: { ...rest, items: [{ price: id, quantity: 1 }] } }
}
