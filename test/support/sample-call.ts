import type { Route } from '../../server/http/route.ts'
import { idPlacesOf, neededBody } from './foreign-ids.ts'
import { dashboardName, type Furnished, neededQuery } from './furnished.ts'
import { hostileValues } from './hostile-values.ts'
import { bodyWith, fieldsOf, sampleOf } from './schema-fields.ts'

/** Hashes of a preview: without them, the call is not compared with it. */
const HASHES = new Set(['preview_hash', 'quote_hash'])

/** Body and query of a call of the dashboard, with every field that its schema has, about objects of the business. */
export function sampleCall(
  route: Route,
  own: Furnished,
): { body?: Record<string, unknown>; query: Record<string, string> } {
  const name = dashboardName(route)
  const query = neededQuery(name, own)
  if (!route.body) return { query }
  const sample = Object.entries(sampleOf(route.body) as object).filter(([key]) => !HASHES.has(key))
  const ids = idPlacesOf([route])
    .filter(({ where, path }) => where === 'body' && path.length === 1)
    .map(({ path: [key = ''], kind }) => [key, own[kind]])
  return { body: { ...Object.fromEntries([...sample, ...ids]), ...neededBody(name, own) }, query }
}

/** Hostile values that are ordinary texts. */
const HARMLESS = /^(an emoji|right-to-left|a right-to-left|SQL|6,000)/

/** Yields the call with one hostile value, for each that a field of the schema accepts. */
export function* hostileCalls(route: Route, own: Furnished) {
  const call = sampleCall(route, own)
  for (const where of ['body', 'query'] as const)
    for (const field of route[where] ? fieldsOf(route[where]) : [])
      for (const { name, json, isRefused } of hostileValues(field.schema, field.isRequired)) {
        if (isRefused || json === undefined || HARMLESS.test(name)) continue
        const query = { ...call.query, [field.name]: String(JSON.parse(json)) }
        const options =
          where === 'query' ? { query } : { ...call, body: JSON.parse(bodyWith(call.body, field.path, json)) }
        yield { what: `${dashboardName(route)} ${field.name}: ${name}`, options }
      }
}
