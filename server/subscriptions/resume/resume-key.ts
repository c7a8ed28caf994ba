import { createHash } from 'node:crypto'
import type { ResumeRequest } from '../../../contract/subscription.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'

const HEADER = 'Idempotency-Key'
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/

export interface KeyedResume {
  businessId: string
  subscriptionId: string
  /** Hash of the key, because a merchant may write anything into a key. */
  key: string
  bodyHash: Buffer
}

/**
 * Reads the key from the header or the body.
 *
 * @returns `null` if there is none
 * @throws ApiError `validation_failed` if it is malformed, or if both are sent and differ
 * @see SUB-32
 */
export function readKey(
  header: string | null,
  body: ResumeRequest,
  which: Pick<KeyedResume, 'businessId' | 'subscriptionId'>,
): KeyedResume | null {
  const { idempotency_key: member = null } = body
  if (header !== null && !VISIBLE_ASCII.test(header))
    throw invalidField(HEADER, 'must be 1 to 255 visible ASCII characters')
  if (header !== null && member !== null && header !== member)
    throw invalidField('idempotency_key', `differs from the header ${HEADER}`)
  const key = header ?? member
  if (key === null) return null
  const { billing_cycle_anchor, proration_behavior, quote_hash = null } = body
  const text = JSON.stringify([billing_cycle_anchor, proration_behavior, quote_hash])
  return { ...which, key: hashOf(key).toString('base64url'), bodyHash: hashOf(text) }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest()

export const keyReused = () =>
  new ApiError('idempotency_key_reused', {
    message: 'The idempotency key was used for another resume within the last 24 hours. A new resume needs a new key.',
    errors: { idempotency_key: ['was used with another body'] },
  })
