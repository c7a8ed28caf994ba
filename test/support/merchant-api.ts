import { type Answer, send } from './merchant.ts'
import type { TestService } from './service.ts'

/** What a merchant's server does with its secret key. */
export interface MerchantApiClient {
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  patch(path: string, body: unknown): Promise<Answer>
  delete(path: string, body?: unknown): Promise<Answer>
  /** Creates, and gives what was made. */
  made(path: string, body: unknown): Promise<Answer['body']>
}

/** @param key of the demo business, unless another one is given */
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
      const answer = await ask('POST', path, body)
      if (answer.status !== 201) throw new Error(`Nothing was made: ${JSON.stringify(answer.body)}`)
      return answer.body
    },
  }
}
