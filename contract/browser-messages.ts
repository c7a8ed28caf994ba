// Spec, «Browser messages»: what the payment form in its frame and the page of the merchant tell each other. Plain
// validators and no schema library: the merchant's page loads them, and its budget is 5 KB.
//
// No message carries card data, an e-mail address or a token.

/** The protocol that both sides speak. A later form says a higher number; the library then reads both. */
export const MESSAGE_VERSION = 1

/** `submitting` and `challenge` mean that a payment runs: nothing may close the form. */
export type FramePhase = 'ready' | 'submitting' | 'challenge'

/** How a session ended. A decline that leaves tries is not a result. Amounts are in major units. */
export type CheckoutResult =
  | {
      status: 'succeeded'
      session_id: string
      transaction_id: string
      receipt_id: string
      amount: number
      currency?: string
    }
  | { status: 'canceled'; session_id: string }
  | { status: 'failed'; session_id: string; message: string; error_code: string }

/** Frame to parent. Heights are CSS pixels. */
export type FrameMessage = { v: typeof MESSAGE_VERSION } & (
  | { type: 'rc:checkout_ready'; session_id: string }
  | { type: 'rc:checkout_height'; height: number }
  | { type: 'rc:checkout_state'; phase: FramePhase }
  | { type: 'rc:checkout_close_request' }
  | ({ type: 'rc:checkout_result' } & CheckoutResult)
)

/** Parent to frame. */
export type ParentMessage = { type: 'rc:parent_close' } | { type: 'rc:parent_theme_scheme'; scheme: 'light' | 'dark' }

const TEXT = /^".{0,500}"$/

/** What each field looks like as JSON. */
const FIELDS: Record<string, RegExp> = {
  v: /^1$/,
  status: TEXT,
  session_id: TEXT,
  transaction_id: TEXT,
  receipt_id: TEXT,
  message: TEXT,
  error_code: /^"\w{1,64}"$/,
  amount: /^\d+(\.\d+)?$/,
  currency: /^"[A-Z]{3}"$/,
  height: /^\d{1,6}$/,
  phase: /^"(ready|submitting|challenge)"$/,
  scheme: /^"(light|dark)"$/,
}

/** The fields of each message, a result by its status too. `?` may be absent. */
const FRAME_SHAPES = new Map([
  ['rc:checkout_ready', 'v session_id'],
  ['rc:checkout_height', 'v height'],
  ['rc:checkout_state', 'v phase'],
  ['rc:checkout_close_request', 'v'],
  ['rc:checkout_result succeeded', 'v status session_id transaction_id receipt_id amount currency?'],
  ['rc:checkout_result canceled', 'v status session_id'],
  ['rc:checkout_result failed', 'v status session_id message error_code'],
])

const PARENT_SHAPES = new Map([
  ['rc:parent_close', ''],
  ['rc:parent_theme_scheme', 'scheme'],
])

/**
 * Reads what a frame sent. Who sent it, and for which session, is for the caller to check.
 *
 * @returns a copy with the fields of its type and no others, or `null` for anything else
 */
export function readFrameMessage(data: unknown): FrameMessage | null {
  return readMessage(FRAME_SHAPES, data) as FrameMessage | null
}

/** Reads what the parent sent; as {@link readFrameMessage}. */
export function readParentMessage(data: unknown): ParentMessage | null {
  return readMessage(PARENT_SHAPES, data) as ParentMessage | null
}

function readMessage(shapes: Map<string, string>, data: unknown): object | null {
  const given = Object(data) as Record<string, unknown>
  const { type, status } = given
  if (typeof type !== 'string') return null
  const shape = shapes.get(typeof status === 'string' ? `${type} ${status}` : type)
  const message: Record<string, unknown> = { type }
  for (const field of shape?.match(/\w+\??/g) ?? []) {
    const name = field.replace('?', '')
    const value = given[name]
    if (value === undefined && name !== field) continue
    if (!isPlain(value) || !FIELDS[name]?.test(JSON.stringify(value))) return null
    message[name] = value
  }
  return shape === undefined ? null : message
}

const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'number'
