import type { ResultCode } from '../../gateway/result-codes.ts'

/** What a payer, and whoever tries cards on a form, learns of a decline. */
interface PublicDecline {
  code: ResultCode
  message: string
}

const DECLINED: PublicDecline = {
  code: 'ND',
  message: 'The card was declined. Check the details, use a different card or contact your bank.',
}
/** What the payer can put right by typing again. */
const MISMATCH: PublicDecline = {
  code: 'N7',
  message: 'The security code or the postal code does not match. Check both and try again.',
}

/**
 * One code and one text for all declines but one: a form that repeats the issuer's "stolen" or "insufficient funds" is a tool for
 * thieves. The merchant's server reads the true ones.
 */
export function publicDecline(code: string): PublicDecline {
  return code === MISMATCH.code ? MISMATCH : DECLINED
}
