import type { PauseRequest } from '../../../contract/subscription.ts'
import { invalidField } from '../../lib/errors.ts'
import type { PauseMode } from '../pause.ts'

/** Fields for an immediate pause; only that leaves paid time unused. */
const CHOICES = ['unused_time_behavior', 'refund_confirmed', 'refund_reference', 'refund_note'] as const

/**
 * Checks which fields may be sent together, before the subscription is read.
 *
 * @returns the mode
 * @throws ApiError `validation_failed`
 * @see SUB-14 to SUB-17
 */
export function checkChoices(body: PauseRequest): PauseMode {
  const { mode = 'immediate' } = body
  if (mode === 'period_end') {
    const [sent] = CHOICES.filter((name) => body[name] !== undefined)
    if (sent !== undefined)
      throw invalidField(sent, 'must not be sent with mode period_end: the paid time is used before the pause')
  } else {
    checkRefund(body)
  }
  return mode
}

function checkRefund(body: PauseRequest): void {
  const { unused_time_behavior: behavior, refund_confirmed: isConfirmed, refund_reference: reference } = body
  if (behavior === 'external_refund') {
    if (isConfirmed !== true) throw invalidField('refund_confirmed', 'must be true with external_refund')
    if (reference === undefined || reference.trim() === '')
      throw invalidField('refund_reference', 'must name your refund with external_refund')
    return
  }
  const isRefunded = isConfirmed === true || reference !== undefined || typeof body.refund_note === 'string'
  if (!isRefunded) return
  if (behavior === undefined) throw unusedTimeMissing()
  const field = isConfirmed === true ? 'refund_confirmed' : reference !== undefined ? 'refund_reference' : 'refund_note'
  throw invalidField(field, 'is for external_refund: preserved time is not refunded')
}

export const unusedTimeMissing = () =>
  invalidField('unused_time_behavior', 'is required while paid time is left: preserve_time or external_refund')
