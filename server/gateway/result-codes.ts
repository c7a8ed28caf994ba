/**
 * GTW-10 to GTW-16. A partial approval is a decline to the customer, but it holds
 * money at the issuer, so it has an outcome of its own: whoever sees it must void it.
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
} as const

export type ResultCode = keyof typeof RESULT_CODES

export function isResultCode(text: unknown): text is ResultCode {
  return typeof text === 'string' && Object.hasOwn(RESULT_CODES, text)
}
