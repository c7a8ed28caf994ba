import type { Fetch } from '../../sdk/options.ts'

/** A response: status, body and headers; or an error of `fetch`; or silence until the request is aborted. */
export type FakeResponse = { status?: number; body?: unknown; headers?: Record<string, string> } | Error | 'silence'

export interface Sent {
  method: string
  /** The path with its query. */
  path: string
  url: string
  headers: Headers
  body: unknown
  redirect: string | undefined
}

/** A server that returns these responses in order and repeats the last one. */
export function fakeFetch(...responses: FakeResponse[]): { fetch: Fetch; sent: Sent[] } {
  const sent: Sent[] = []
  const fetch: Fetch = async (url, init) => {
    const { pathname, search } = new URL(url)
    const { method = 'GET', headers, body, redirect, signal } = init
    const parsed = typeof body === 'string' ? JSON.parse(body) : undefined
    sent.push({ method, path: pathname + search, url, headers: new Headers(headers), body: parsed, redirect })
    const response = responses[Math.min(sent.length, responses.length) - 1] ?? {}
    if (response instanceof Error) throw response
    return response === 'silence' ? untilAborted(signal) : responseOf(response)
  }
  return { fetch, sent }
}

function responseOf({ status = 200, body = {}, headers }: Exclude<FakeResponse, Error | string>): Response {
  const isText = typeof body === 'string'
  const type = isText ? 'text/html' : 'application/json'
  return new Response(isText ? body : JSON.stringify(body), { status, headers: { 'content-type': type, ...headers } })
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
}

/** Returns an error in the envelope of the secret-key API. */
export const refusal = (status: number, type: string, code: string, more: Record<string, unknown> = {}) => ({
  status,
  body: { error: { type, code, message: `It is ${code}`, param: null, request_id: 'req-1', ...more } },
})
