import type { BehaviourName } from './behaviours.ts'
import type { Ledger } from './ledger.ts'
import type { ThreeDsTrace } from './ledger-row.ts'
import type { Intent } from './record.ts'
import type { VerifyBody } from './wire.ts'

// Checks of the card networks on a payer's proof: the CAVV of 3-D Secure, or the cryptogram of a wallet's device
// account number (TDS-28).

type Proved = Pick<VerifyBody, 'card' | 'cvv' | 'threeDs'>

/** Returns what the ledger stores about the proof; never its value. */
export function proofTrace(
  ledger: Ledger,
  { card, threeDs }: Proved,
): Pick<Intent, 'threeDs' | 'wallet' | 'proofHash'> {
  const value = threeDs?.cavv ?? card.cryptogram
  return {
    ...(threeDs && { threeDs: threeDsTrace(threeDs) }),
    ...(card.wallet && { wallet: card.wallet }),
    ...(value !== undefined && { proofHash: ledger.proofHash(value) }),
  }
}

function threeDsTrace({ version, transStatus, eci, cavv }: NonNullable<Proved['threeDs']>): ThreeDsTrace {
  return {
    version,
    transStatus,
    ...(eci !== undefined && { eci }),
    cavv: cavv === undefined ? 'absent' : 'present',
  }
}

/** @returns the decline of a wrong proof; `undefined` if the proof is right, or the card has none */
export function proofRefusal(proved: Proved, { isUsed }: { isUsed: boolean }): BehaviourName | undefined {
  if (isNetworkToken(proved)) return tokenRefusal(proved)
  return proved.threeDs && threeDsRefusal(proved.threeDs, { number: proved.card.number, isUsed })
}

export const isNetworkToken = ({ card }: Proved): boolean => card.wallet !== undefined || card.cryptogram !== undefined

function tokenRefusal({ card, cvv, threeDs }: Proved): BehaviourName | undefined {
  if (card.cryptogram === undefined) return 'token_without_cryptogram'
  if (!hasBytes(card.cryptogram, CRYPTOGRAM_BYTES)) return 'cryptogram_malformed'
  if (cvv !== undefined) return 'token_with_cvv'
  if (threeDs) return 'token_with_proof'
  return card.eci !== undefined && !/^0[0-9]$/.test(card.eci) ? 'eci_mismatch' : undefined
}

function threeDsRefusal(
  { version, transStatus, eci, cavv, serverTransactionId }: NonNullable<Proved['threeDs']>,
  { number, isUsed }: { number: string; isUsed: boolean },
): BehaviourName | undefined {
  if (transStatus !== 'Y' && transStatus !== 'A') return 'proof_not_authenticated'
  if (!/^2\.\d\.\d$/.test(version) || serverTransactionId === '') return 'proof_incomplete'
  if (cavv === undefined) return 'proof_without_cavv'
  const isLong = version === '2.3.1' && LONG_CAVV.test(cavv)
  if (!isLong && !hasBytes(cavv, CAVV_BYTES)) return 'cavv_malformed'
  if (eci !== (isMastercard(number) ? MASTERCARD_ECI : ECI)[transStatus]) return 'eci_mismatch'
  return isUsed ? 'cavv_used' : undefined
}

const ECI = { Y: '05', A: '06' } as const
const MASTERCARD_ECI = { Y: '02', A: '01' } as const

/** Whether the number is in the ranges of Mastercard: 51 to 55, and 2221 to 2720. */
const isMastercard = (number: string): boolean => /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/.test(number)

const CAVV_BYTES = { min: 20, max: 20 }
/** Form of a longer CAVV: since version 2.3.1, a network may define its own. */
const LONG_CAVV = /^[\x21-\x7e]{29,4000}$/
/** Google's own sample for Mastercard has 19 bytes; American Express may send two values of 20 bytes. */
const CRYPTOGRAM_BYTES = { min: 19, max: 40 }

function hasBytes(value: string, { min, max }: { min: number; max: number }): boolean {
  const bytes = Buffer.from(value, 'base64')
  return bytes.length >= min && bytes.length <= max && bytes.toString('base64') === value
}
