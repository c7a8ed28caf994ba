import { Webhook } from 'standardwebhooks'
import { WebhookError } from './errors.ts'
import type { RialtoEvent } from './events.ts'

/** Headers of the platform: a `Headers`, or the plain object of Node's `request.headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/**
 * Verifies that a webhook comes from the service and is not older than five minutes (Standard Webhooks).
 *
 * @param rawBody the body as received, before any parsing: JSON that is parsed and serialized again is a different text
 * @param secrets `whsec_…`; two during a rotation. `undefined` members are ignored
 * @returns the event; its `id` is the same in every delivery
 * @throws WebhookError if the webhook is forged, modified or too old: respond with 400
 * @throws TypeError for an invalid secret or an invalid type of body
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | undefined | readonly (string | undefined)[],
): Promise<RialtoEvent> {
  const body = textOf(rawBody)
  const signed = Object.fromEntries(SIGNED.map((name) => [name, headerOf(headers, name)]))
  const verifiers = readSecrets(secrets)
  const failures = verifiers.map((verifier) => failureOf(() => verifier.verify(body, signed, { jsonParse: false })))
  if (failures.includes(null)) return parseEvent(body)
  throw new WebhookError({
    type: 'webhook_error',
    code: 'webhook_signature_invalid',
    message: `The webhook was not signed with this secret: ${failures[0]}`,
  })
}

function textOf(rawBody: unknown): string {
  if (typeof rawBody === 'string') return rawBody
  // `instanceof` fails in test runners that have their own globals.
  const isBytes = ArrayBuffer.isView(rawBody) || Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]'
  if (isBytes) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(rawBody as ArrayBufferView | ArrayBuffer)
  throw new TypeError('rawBody: pass the body as received, a string or bytes, not the parsed value')
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if (typeof headers.get === 'function') return headers.get(name) ?? ''
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)
  return String(found?.[1] ?? '')
}

function readSecrets(given: Parameters<typeof verifyWebhook>[2]): Webhook[] {
  const secrets = [given].flat().filter((secret) => secret !== undefined)
  const areValid = secrets.length > 0 && secrets.every((secret) => /^whsec_[\w+/]+={0,2}$/.test(secret))
  if (!areValid) throw new TypeError('secrets: pass one or more secrets of the form whsec_ and base64')
  return secrets.map((secret) => new Webhook(secret))
}

/**
 * Runs a verification.
 *
 * @returns the message of the error; `null` if the verification succeeded
 */
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
    const message = 'The signature is valid, but the body is not JSON'
    throw new WebhookError({ type: 'webhook_error', code: 'webhook_body_invalid', message, cause })
  }
}
