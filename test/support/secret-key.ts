import { deepEqual, equal, match } from 'node:assert/strict'
import { createApiKey } from '../../server/access/keys/create-api-key.ts'
import { transaction } from '../../server/db/transaction.ts'
import { type Response, send } from './merchant.ts'
import type { TestService } from './service.ts'

/** The context of the operator's use cases on keys, on a running service. */
export const keyContext = ({ app }: TestService) => ({ ...app.services, environment: 'staging' as const })

/** Creates another key of the demo business, by default allowed from this machine. */
export function makeKey(
  service: TestService,
  {
    name = 'Server',
    allowedIps = ['127.0.0.1'],
    scopes,
  }: { name?: string; allowedIps?: string[]; scopes?: readonly string[] } = {},
) {
  const context = keyContext(service)
  const wanted = { businessId: service.demo.business_id, name, allowedIps, scopes }
  return transaction(context.db, (tx) => createApiKey({ ...context, db: tx }, wanted))
}

/** Calls `GET /api/v1/account` with the given `authorization`; `null` omits the header. */
export function requestAccount(
  { url }: Pick<TestService, 'url'>,
  authorization: string | null,
  { from, query = '' }: { from?: string; query?: string } = {},
): Promise<Response> {
  const headers = { ...(authorization !== null && { authorization }), ...(from && { 'x-forwarded-for': from }) }
  return send(`${url}/api/v1/account${query}`, { headers })
}

/** Calls `GET /api/v1/account` with a key. */
export const account = (service: Pick<TestService, 'url'>, key: string, from?: string) =>
  requestAccount(service, `Bearer ${key}`, from === undefined ? {} : { from })

/** Asserts the complete error envelope of the merchant API (API-4). */
export function assertKeyRefused(
  response: Response,
  status: number,
  [type, code]: [string, string],
  says: RegExp,
): void {
  const { error } = response.body
  deepEqual([response.status, error?.type, error?.code], [status, type, code], JSON.stringify(response.body))
  deepEqual([error.param, error.request_id], [null, response.headers.get('request-id')])
  match(error.message, says)
  equal(response.headers.get('cache-control'), 'no-store')
}

export const INVALID: [string, string] = ['authentication_error', 'invalid_api_key']
