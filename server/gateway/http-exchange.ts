import type { Dispatcher } from 'undici'

const RESPONSE_BYTES_MAX = 200_000

/** What became of one request. */
export type Exchange<Body = unknown> =
  /** Provably no byte of it was written. */
  | { kind: 'not_sent'; message: string }
  /** At least the first byte may have arrived, and no complete response came back. */
  | { kind: 'no_response'; message: string }
  | { kind: 'response'; status: number; body: Body }

export interface PostRequest {
  origin: string
  path: string
  headers: Record<string, string>
  body: string
  /** Asked after the connection stands, directly before the first byte. */
  mayStillSend?: (() => boolean) | undefined
  signal: AbortSignal
}

/**
 * Posts once: never again, wherever the response points. Rejects never.
 *
 * undici calls `onRequestStart` with a connected socket in hand, directly before it writes. That one moment tells "not sent"
 * from "no response" whatever the error is called: name resolution, refusal, TLS and a slow connection all fail before it.
 */
export function postOnce(dispatcher: Dispatcher, request: PostRequest): Promise<Exchange<string>> {
  const { promise, resolve } = Promise.withResolvers<Exchange<string>>()
  if (request.signal.aborted) return Promise.resolve({ kind: 'not_sent', message: 'the deadline had passed' })
  const { origin, path, headers, body } = request
  const handler = new ExchangeHandler(request, resolve)
  dispatcher.dispatch({ origin, path, method: 'POST', headers, body }, handler)
  return promise
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #request: PostRequest
  readonly #resolve: (exchange: Exchange<string>) => void
  #controller: Dispatcher.DispatchController | null = null
  #isFinished = false
  #status = 0
  #chunks: Buffer[] = []
  #size = 0

  constructor(request: PostRequest, resolve: (exchange: Exchange<string>) => void) {
    this.#request = request
    this.#resolve = resolve
    request.signal.addEventListener('abort', this.#onAbort)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (!this.#isFinished && this.#request.mayStillSend?.() === false)
      this.#fail('the request is no longer ours to send')
    // Thrown here, it stops undici before the first byte.
    if (this.#isFinished) throw new Error('not to be sent')
    this.#controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    this.#chunks.push(chunk)
    if (this.#size > RESPONSE_BYTES_MAX) controller.abort(new Error('the response is too long'))
  }

  onResponseEnd(): void {
    this.#finish({ kind: 'response', status: this.#status, body: Buffer.concat(this.#chunks).toString() })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error & { code?: string }): void {
    this.#fail(error.code ?? error.name)
  }

  #onAbort = (): void => {
    this.#fail('the deadline has passed')
    this.#controller?.abort(new Error('the deadline has passed'))
  }

  #fail(message: string): void {
    this.#finish({ kind: this.#controller ? 'no_response' : 'not_sent', message })
  }

  #finish(exchange: Exchange<string>): void {
    if (this.#isFinished) return
    this.#isFinished = true
    this.#request.signal.removeEventListener('abort', this.#onAbort)
    this.#resolve(exchange)
  }
}
