// BRW-12 to BRW-22: what the payment form in its frame and the page of the merchant tell each other. Plain
// validators and no schema library: the merchant's page loads them, and its budget is 5 KB.
//
// No message carries card data, an e-mail address or a token.

/** Version of the protocol that both sides speak. A later form sends a higher number; the library then reads both. */
export const MESSAGE_VERSION = 1

/** Phase of the form. During `submitting` and `challenge` a payment is running: nothing may close the form. */
export type FramePhase = 'ready' | 'submitting' | 'challenge'

/** How a session ended. A decline after which the payer may try again is not a result. Amounts are in major units. */
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

/** Message from the frame to its parent. Heights are CSS pixels. */
export type FrameMessage = { v: typeof MESSAGE_VERSION } & (
  | { type: 'rc:checkout_ready'; session_id: string }
  | { type: 'rc:checkout_height'; height: number }
  | { type: 'rc:checkout_state'; phase: FramePhase }
  | { type: 'rc:checkout_close_request' }
  | ({ type: 'rc:checkout_result' } & CheckoutResult)
)

/** Message from the parent to the frame. */
export type ParentMessage = { type: 'rc:parent_close' } | { type: 'rc:parent_theme_scheme'; scheme: 'light' | 'dark' }

const TEXT = /^.{0,500}$/s
const PATTERNS: Record<string, RegExp> = {
  phase: /^(ready|submitting|challenge)$/,
  scheme: /^(light|dark)$/,
}

/** Fields of each message; a result also has a shape per status. */
const FRAME_SHAPES = new Map([
  ['rc:checkout_ready', 'type v session_id'],
  ['rc:checkout_height', 'type v height'],
  ['rc:checkout_state', 'type v phase'],
  ['rc:checkout_close_request', 'type v'],
  ['rc:checkout_result succeeded', 'type v status session_id transaction_id receipt_id amount currency'],
  ['rc:checkout_result canceled', 'type v status session_id'],
  ['rc:checkout_result failed', 'type v status session_id message error_code'],
])

const PARENT_SHAPES = new Map([
  ['rc:parent_close', 'type'],
  ['rc:parent_theme_scheme', 'type scheme'],
])

/**
 * Reads a message that a frame sent. The caller checks who sent it, and for which session.
 *
 * @returns a copy with the fields of its type and no others, or `null` for anything else
 */
export function readFrameMessage(data: unknown): FrameMessage | null {
  return readMessage(FRAME_SHAPES, data) as FrameMessage | null
}

/** Reads a message that the parent sent, like {@link readFrameMessage}. */
export function readParentMessage(data: unknown): ParentMessage | null {
  return readMessage(PARENT_SHAPES, data) as ParentMessage | null
}

function readMessage(shapes: Map<string, string>, data: unknown): object | null {
  const given = Object(data) as Record<string, unknown>
  const { type, status } = given
  if (typeof type !== 'string') return null
  const shape = shapes.get(typeof status === 'string' ? `${type} ${status}` : type)
  const names = shape?.split(' ').filter((name) => given[name] !== undefined || name !== 'currency')
  if (!names?.every((name) => isGood(name, given[name]))) return null
  return Object.fromEntries(names.map((name) => [name, given[name]]))
}

function isGood(name: string, value: unknown): boolean {
  if (name === 'v') return value === MESSAGE_VERSION
  if (name === 'amount') return typeof value === 'number' && value >= 0 && value < Infinity
  if (name === 'height') return Number.isSafeInteger(value)
  return typeof value === 'string' && (PATTERNS[name] ?? TEXT).test(value)
}
