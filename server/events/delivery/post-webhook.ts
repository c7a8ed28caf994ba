import type { Dispatcher } from 'undici'
import type { Attempt } from './delivery.ts'
import { describeFailure } from './describe-failure.ts'
import type { ReceivedResponse } from './kept-response.ts'

/** Maximum length of a response's body; the rest is not read. */
const BODY_BYTES_MAX = 16_384
const TIMEOUT = 'No response in time'

interface WebhookRequest {
  url: URL
  headers: Record<string, string>
  body: string
  timeoutMs: number
}

/** Exactly one of the two is `null`. */
type Response = { response: ReceivedResponse | null } & Pick<Attempt, 'error'>

/**
 * Posts once, without following redirects. Never rejects. Only the status matters, so a response with an endless,
 * broken or compressed body counts too; nothing is decompressed.
 *
 * @see EVT-8
 */
export function postWebhook(dispatcher: Dispatcher, request: WebhookRequest): Promise<Response> {
  const { url, headers, body, timeoutMs } = request
  const { promise, resolve } = Promise.withResolvers<Response>()
  const handler = new PostHandler(resolve, timeoutMs)
  dispatcher.dispatch({ origin: url.origin, path: url.pathname + url.search, method: 'POST', headers, body }, handler)
  return promise
}

class PostHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: Response) => void
  readonly #deadline: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | null = null
  #isFinished = false
  #head: Omit<ReceivedResponse, 'body'> | null = null
  #chunks: Buffer[] = []
  #size = 0

  constructor(resolve: (response: Response) => void, timeoutMs: number) {
    this.#resolve = resolve
    this.#deadline = setTimeout(() => this.#stop(TIMEOUT), timeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Throwing here stops undici before the first byte.
    if (this.#isFinished) throw new Error(TIMEOUT)
    this.#controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    // An informational response comes before the actual one.
    if (status < 200) return
    const retryAfter = typeof headers['retry-after'] === 'string' ? headers['retry-after'] : null
    this.#head = { status, headers, retryAfter }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    this.#chunks.push(chunk)
    if (this.#size > BODY_BYTES_MAX) this.#stop('The response is too long')
  }

  onResponseEnd(): void {
    this.#finish('The response has no status')
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish(describeFailure(error))
  }

  #stop(why: string): void {
    this.#finish(why)
    this.#controller?.abort(new Error(why))
  }

  #finish(error: string): void {
    if (this.#isFinished) return
    this.#isFinished = true
    clearTimeout(this.#deadline)
    const body = storableText(Buffer.concat(this.#chunks).subarray(0, BODY_BYTES_MAX))
    if (this.#head === null) this.#resolve({ response: null, error })
    else this.#resolve({ response: { ...this.#head, body }, error: null })
    this.#chunks = []
  }
}

/** PostgreSQL stores valid UTF-8 without NUL. */
const storableText = (bytes: Buffer) => bytes.toString().replaceAll('\0', '\uFFFD')
