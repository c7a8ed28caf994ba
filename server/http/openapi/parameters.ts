import type { TSchema } from 'typebox'
import { EXAMPLE_IDS, EXAMPLE_SESSION_TOKEN } from '../../../contract/example-ids.ts'
import type { Route } from '../route.ts'
import type { PrintedSchema, SchemaPrinter } from './schemas.ts'

export interface PrintedParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: PrintedSchema
  example?: unknown
}

const PARAMETER = /([\w-]+)\/\{(\w+)\}/g
const DESCRIPTIONS: Record<string, string> = {
  business_id: 'The id of the business, as issued at onboarding.',
  session_token: 'The token or the id of the session.',
  token: 'The token of the session.',
}
/** The path segment before an id, and the example id that follows it. */
const NOUNS: Record<string, keyof typeof EXAMPLE_IDS> = {
  api: 'business',
  customer: 'customer',
  customers: 'customer',
  payment_methods: 'paymentMethod',
  products: 'product',
  prices: 'price',
  subscriptions: 'subscription',
  payments: 'payment',
  refunds: 'refund',
  batches: 'batch',
  events: 'event',
  webhook_endpoints: 'webhookEndpoint',
}

/** Returns path, query and header parameters of a route. */
export function parametersOf(printer: SchemaPrinter, { path, query, document }: Route): PrintedParameter[] {
  return [
    ...[...path.matchAll(PARAMETER)].map(([, before = '', name = '']) => pathParameter(before, name)),
    ...queryParameters(printer, query),
    ...Object.entries(document?.headers ?? {}).map(([name, description]) => header(name, description)),
  ]
}

function pathParameter(before: string, name: string): PrintedParameter {
  const description = DESCRIPTIONS[name] ?? `The id of the ${before.replace(/s$/, '').replaceAll('_', ' ')}.`
  const shared = { name, in: 'path', required: true, description } as const
  if (name.endsWith('token')) return { ...shared, schema: { type: 'string' }, example: EXAMPLE_SESSION_TOKEN }
  const noun = NOUNS[before]
  return { ...shared, schema: { type: 'string', format: 'uuid' }, ...(noun && { example: EXAMPLE_IDS[noun] }) }
}

function queryParameters(printer: SchemaPrinter, query: TSchema | undefined): PrintedParameter[] {
  if (!query) return []
  const { properties, required = [] } = printer.print(query) as {
    properties: Record<string, PrintedSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(typeof description === 'string' && { description }),
    schema,
  }))
}

const header = (name: string, description: string): PrintedParameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})
