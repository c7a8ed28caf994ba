import type { ResultCode } from '../../gateway/result-codes.ts'

/** Code and message of a decline on the public paths. */
interface PublicDecline {
  code: ResultCode
  message: string
}

const DECLINED: PublicDecline = {
  code: 'ND',
  message: 'The card was declined. Check the details, use a different card or contact your bank.',
}
/** The only decline that the payer can correct by retyping. */
const MISMATCH: PublicDecline = {
  code: 'N7',
  message: 'The security code or the address does not match. Check both and try again.',
}

/**
 * Returns what the payer sees of a decline. All others have one code and one message: "stolen" or "insufficient funds"
 * would help attackers who test cards. The merchant's server gets the gateway's code and message.
 */
export function publicDecline(code: string): PublicDecline {
  return code === MISMATCH.code ? MISMATCH : DECLINED
}
