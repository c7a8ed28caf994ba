import type { Dispatcher } from 'undici'

const RESPONSE_BYTES_MAX = 200_000

/** Outcome of one HTTP request, as far as this side can prove it. */
export type Exchange<Body = unknown> =
  /** Provably no byte of the request was written. */
  | { kind: 'not_sent'; message: string }
  /** The server may have received the request, but no complete response arrived. */
  | { kind: 'no_response'; message: string }
  | { kind: 'response'; status: number; body: Body }

export interface PostRequest {
  origin: string
  path: string
  headers: Record<string, string>
  body: string
  /** Called once the connection is established, directly before the first byte; `false` cancels the request. */
  mayStillSend?: (() => boolean) | undefined
  signal: AbortSignal
}

/**
 * Posts once, without retries and without following redirects. Never rejects.
 *
 * undici calls `onRequestStart` on a connected socket, directly before it writes. A failure before that call (DNS,
 * refused connection, TLS, connect timeout) is `not_sent`; any later failure is `no_response`, whatever the error code.
 */
export function postOnce(dispatcher: Dispatcher, request: PostRequest): Promise<Exchange<string>> {
  const { promise, resolve } = Promise.withResolvers<Exchange<string>>()
  if (request.signal.aborted) return Promise.resolve({ kind: 'not_sent', message: 'the deadline had already passed' })
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
      this.#fail('this process no longer owns the operation')
    // Throwing here stops undici before the first byte.
    if (this.#isFinished) throw new Error('the request was cancelled before it was sent')
    this.#controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    this.#chunks.push(chunk)
    if (this.#size > RESPONSE_BYTES_MAX)
      controller.abort(new Error(`the response is longer than ${RESPONSE_BYTES_MAX} bytes`))
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
