import { Webhook } from 'standardwebhooks'
import { WebhookError } from './errors.ts'
import type { RialtoEvent } from './events.ts'

/** The headers as the platform gives them: a `Headers`, or the plain object of Node's `request.headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/**
 * Proves that a webhook comes from the service and is not older than five minutes (Standard Webhooks).
 *
 * @param rawBody as it came, before anything parsed it: parsed and printed again it is another text
 * @param secrets `whsec_…`; two while you change over from one to the other. What is `undefined` is left out
 * @returns the event; its `id` is the same when it is delivered again
 * @throws WebhookError when it is forged, changed on the way, or too old: response 400
 * @throws TypeError when the secret or the body's type cannot be right
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | undefined | readonly (string | undefined)[],
): Promise<RialtoEvent> {
  const body = textOf(rawBody)
  const signed = Object.fromEntries(SIGNED.map((name) => [name, headerOf(headers, name)]))
  const verifiers = readSecrets(secrets)
  const refusals = verifiers.map((verifier) => failureOf(() => verifier.verify(body, signed, { jsonParse: false })))
  if (refusals.includes(null)) return parseEvent(body)
  throw new WebhookError({
    type: 'webhook_error',
    code: 'webhook_signature_invalid',
    message: `The webhook is not what the holder of the secret sent: ${refusals[0]}`,
  })
}

function textOf(rawBody: unknown): string {
  if (typeof rawBody === 'string') return rawBody
  // Not `instanceof`: test runners bring their own globals.
  const isBytes = ArrayBuffer.isView(rawBody) || Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]'
  if (isBytes) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(rawBody as ArrayBufferView | ArrayBuffer)
  throw new TypeError('rawBody: give the body as it came, a string or bytes, and not what it was parsed to')
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if (typeof headers.get === 'function') return headers.get(name) ?? ''
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)
  return String(found?.[1] ?? '')
}

function readSecrets(given: Parameters<typeof verifyWebhook>[2]): Webhook[] {
  const secrets = [given].flat().filter((secret) => secret !== undefined)
  const isRight = secrets.length > 0 && secrets.every((secret) => /^whsec_[\w+/]+={0,2}$/.test(secret))
  if (!isRight) throw new TypeError('secrets: give whsec_ and base64, one or several')
  return secrets.map((secret) => new Webhook(secret))
}

/** @returns the text of what it threw, or `null` when it went through */
function failureOf(verify: () => void): string | null {
  try {
    verify()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

function parseEvent(body: string): RialtoEvent {
  try {
    return JSON.parse(body) as RialtoEvent
  } catch (cause) {
    const message = 'The signature is right, and the body is not JSON'
    throw new WebhookError({ type: 'webhook_error', code: 'webhook_body_invalid', message, cause })
  }
}
