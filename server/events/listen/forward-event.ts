import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { EventEnvelope } from '../../../contract/event.ts'
import { basicAuthorization } from '../webhooks/basic-auth.ts'
import { describeLost } from './events-client.ts'

/** Same timeout as for real deliveries (EVT-8). */
const TIMEOUT_MS = 10_000
/** Waits before retrying a receiver that cannot be reached. */
const RETRY_MS = [500, 1_500, 4_000]

/**
 * Returns the secret that signs events. It is the same for a key on every machine and in every run, so that a receiver
 * is configured once. The key cannot be computed from it.
 */
export const listenSecret = (key: string): string =>
  `whsec_${createHmac('sha256', key).update('rialto listen').digest('base64')}`

interface Receiver {
  receiver: URL
  /** User name, colon and password; `null` for a receiver without HTTP basic authentication. */
  credentials: string | null
  /** Signing secret. */
  secret: string
}

export interface Forwarded {
  isReceived: boolean
  /** Status of the response, or why there was none. */
  result: string
  ms: number
}

/**
 * Posts an event, signed like a webhook. Retries if the receiver cannot be reached; a response is final, whatever its
 * status.
 */
export async function forwardEvent(
  event: EventEnvelope,
  { receiver, credentials, secret, signal, timeScale }: Receiver & { signal: AbortSignal; timeScale: number },
): Promise<Forwarded> {
  const body = JSON.stringify(event)
  const begin = performance.now()
  for (const waitMs of [...RETRY_MS, null]) {
    const { status, reason } = await post({ receiver, credentials, secret }, { id: event.id, body, signal })
    const ms = Math.round(performance.now() - begin)
    if (status !== null) return { isReceived: status >= 200 && status < 300, result: String(status), ms }
    if (waitMs === null || signal.aborted) return { isReceived: false, result: reason, ms }
    await sleep(waitMs * timeScale, undefined, { signal }).catch(() => {})
  }
  throw new Error('unreachable: the last wait is null')
}

interface Posted {
  status: number | null
  reason: string
}

async function post(
  { receiver, credentials, secret }: Receiver,
  { id, body, signal }: { id: string; body: string; signal: AbortSignal },
): Promise<Posted> {
  const at = new Date()
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Rialto-Webhooks',
    ...(credentials !== null && { authorization: basicAuthorization(credentials) }),
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
  try {
    const limits = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const response = await fetch(receiver, { method: 'POST', headers, body, redirect: 'manual', signal: limits })
    await response.body?.cancel()
    return { status: response.status, reason: '' }
  } catch (error) {
    return { status: null, reason: describeLost(error) }
  }
}
