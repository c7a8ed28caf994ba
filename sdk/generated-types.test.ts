import { deepEqual, equal } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { EVENT_TYPES, type EventType } from '../contract/event.ts'
import { printOpenApi } from '../scripts/openapi-text.ts'
import { type OpenApiDocument, sdkTypes } from '../scripts/sdk-types.ts'
import type { RialtoEvent } from './events.ts'

/** The document, and of its refusals what is read here. */
interface Shown extends OpenApiDocument {
  components: OpenApiDocument['components'] & {
    responses: Record<string, { content: { 'application/json': { examples: Record<string, Example> } } }>
  }
}
interface Example {
  value: { error: { type: string; code: string } }
}

const textOf = (file: string) => readFile(new URL(file, import.meta.url), 'utf8')

describe('The SDK matches the OpenAPI document of the service', () => {
  let document: Shown
  before(async () => {
    document = JSON.parse(await printOpenApi({}))
  })

  test('generated/types.ts is current: `npm run sdk:types` prints it anew', async () => {
    equal(await textOf('generated/types.ts'), await sdkTypes(document))
  })

  test('every type and code of the document is in ErrorType and ErrorCode', async () => {
    const known = new Set([...(await textOf('errors.ts')).matchAll(/^ {2}\| '(\w+)'$/gm)].map(([, word]) => word))
    const refusals = Object.entries(document.components.responses).filter(([name]) => name.startsWith('V1.'))
    const shown = refusals.flatMap(([, { content }]) => Object.values(content['application/json'].examples))
    const words = shown.flatMap(({ value }) => [value.error.type, value.error.code])

    equal(words.includes('invalid_api_key'), true)
    deepEqual(
      words.filter((word) => !known.has(word)),
      [],
    )
  })

  test('every event of the document is in RialtoEvent, and no other', () => {
    // The compiler refuses these lines when a type is missing on one side.
    const named = EVENT_TYPES satisfies readonly RialtoEvent['type'][]
    const typed: Record<RialtoEvent['type'], true> = Object.fromEntries(
      EVENT_TYPES.map((type) => [type, true]),
    ) as Record<EventType, true>

    deepEqual(Object.keys(document.webhooks), named)
    deepEqual(Object.keys(typed), named)
  })

  test('every operation of the merchant API is a method of a resource', async () => {
    const { Rialto } = await import('./rialto.ts')
    const called: string[] = []
    const fetch = async (url: string, { method = '' }: RequestInit) => {
      called.push(`${method.toLowerCase()} ${new URL(url).pathname}`)
      return Response.json({ data: [], has_more: false, done: true })
    }
    const rialto = new Rialto({ apiKey: 'rc_sk_stg_1', baseUrl: 'https://api.example', fetch })
    for (const resource of Object.values(rialto)) {
      const names = Object.getOwnPropertyNames(Object.getPrototypeOf(resource))
      for (const name of names.filter((own) => own !== 'constructor'))
        await Reflect.get(resource, name).call(resource, 'ID', 'ID')
    }

    const operations = Object.entries(document.paths)
      .filter(([path]) => path.startsWith('/api/v1/'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path.replace(/\{\w+\}/g, 'ID')}`))
    deepEqual(called.sort(), operations.sort())
  })
})
