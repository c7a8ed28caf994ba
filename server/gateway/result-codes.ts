import type { ResultCode as WordedCode } from '../../contract/gateway-words.ts'

/**
 * Result codes of the gateway and the outcome of each. A partial approval counts as a decline, but has its own outcome
 * because it holds money at the issuer and must be voided.
 *
 * @see GTW-10 to GTW-16
 */
export const RESULT_CODES = {
  AA: { outcome: 'approved', meaning: 'Approved' },
  AP: { outcome: 'partial', meaning: 'Partial approval' },
  AC: { outcome: 'partial', meaning: 'Partial approval (alternate)' },
  NC: { outcome: 'declined', meaning: 'Stolen or pick-up card' },
  ND: { outcome: 'declined', meaning: 'Declined' },
  NF: { outcome: 'declined', meaning: 'Record not found' },
  NR: { outcome: 'declined', meaning: 'Referral: contact the issuing bank' },
  N7: { outcome: 'declined', meaning: 'CVV2 or AVS verification failed' },
} as const satisfies Record<WordedCode, { outcome: string; meaning: string }>

export type ResultCode = keyof typeof RESULT_CODES

export function isResultCode(text: unknown): text is ResultCode {
  return typeof text === 'string' && Object.hasOwn(RESULT_CODES, text)
}
