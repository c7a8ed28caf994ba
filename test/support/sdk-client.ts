import type { RialtoOptions } from '../../sdk/options.ts'
import { Rialto } from '../../sdk/rialto.ts'
import { type FakeResponse, fakeFetch } from './fake-fetch.ts'

export const KEY = 'rc_sk_stg_0123456789abcdefABCDEF'
export const BASE = 'https://api.example'
export const ID = '0199d3c2-7a00-7000-8000-000000000001'

/** The error of Node's `fetch` for a lost connection. */
export const RESET = new TypeError('fetch failed', {
  cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
})

/** Returns a client whose server returns these responses in order, and the requests that it has sent. */
export function clientOf(responses: FakeResponse[], options: Partial<RialtoOptions> = {}) {
  const { fetch, sent } = fakeFetch(...responses)
  return { rialto: new Rialto({ apiKey: KEY, baseUrl: BASE, fetch, ...options }), sent }
}
