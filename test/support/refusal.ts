import { deepEqual, equal, match } from 'node:assert/strict'
import type { Response } from './merchant.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Asserts the headers of every response of the OAuth family (CHK-1). */
export function assertCommonHeaders({ headers }: Response): void {
  match(headers.get('request-id') ?? '', UUID)
  equal(headers.get('cache-control'), 'no-store')
  equal(headers.get('x-content-type-options'), 'nosniff')
  match(headers.get('content-type') ?? '', /^application\/json/)
}

/**
 * Asserts the error envelope of CHK-1, and that it contains no internals of the server.
 *
 * @param fields all fields that `errors` names; a 422 always names at least one
 */
export function assertRefused(response: Response, status: number, code: string, fields?: string[]): void {
  const { body } = response
  deepEqual(
    { status: response.status, code: body.code, ok: body.ok },
    { status, code, ok: false },
    JSON.stringify(body),
  )
  assertCommonHeaders(response)
  equal(body.request_id, response.headers.get('request-id'))
  match(body.message, /^\S.+\S$/)
  if (fields) deepEqual(Object.keys(body.errors ?? {}).sort(), [...fields].sort(), JSON.stringify(body))
  for (const texts of Object.values<string[]>(body.errors ?? {})) {
    equal(texts.length > 0 && texts.every((text) => text !== 'is not valid' && text.length > 4), true, `${texts}`)
  }
  equal(
    /\bat .*\.ts:|node_modules|select |insert /i.test(JSON.stringify(body)),
    false,
    'contains internals of the server',
  )
}
