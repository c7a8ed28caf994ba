import { type Response, send } from './merchant.ts'
import type { TestService } from './service.ts'

/** The calls of a merchant's server with a secret key. */
export interface MerchantApiClient {
  get(path: string): Promise<Response>
  post(path: string, body?: unknown): Promise<Response>
  patch(path: string, body: unknown): Promise<Response>
  delete(path: string, body?: unknown): Promise<Response>
  /** Creates an object and returns it. */
  made(path: string, body: unknown): Promise<Response['body']>
}

/** @param key by default the key of the demo business */
export function merchantApiOf({ url, demo }: Pick<TestService, 'url' | 'demo'>, key = demo.api_key): MerchantApiClient {
  const authorization = `Bearer ${key}`
  const ask = (method: string, path: string, body?: unknown) =>
    send(`${url}/api/v1${path}`, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  return {
    get: (path) => ask('GET', path),
    post: (path, body = {}) => ask('POST', path, body),
    patch: (path, body) => ask('PATCH', path, body),
    delete: (path, body) => ask('DELETE', path, body),
    async made(path, body) {
      const response = await ask('POST', path, body)
      if (response.status !== 201) throw new Error(`Nothing was made: ${JSON.stringify(response.body)}`)
      return response.body
    },
  }
}
