import type { AuthenticationRequest } from './three-ds-server.ts'

const DAY_MS = 86_400_000
/** Codes of `chAccAgeInd` and `paymentAccInd`, by the upper limit of the age in days. */
const AGES: [days: number, code: string][] = [
  [30, '03'],
  [61, '04'],
]
const OLDEST = '05'
/** Maximum of each count, given by the number of digits in the protocol. */
const PURCHASES_MAX = 9_999
const TRANSACTIONS_MAX = 999

/** Returns what the merchant knows about the customer; nothing for a guest. */
export function accountFields({ account }: AuthenticationRequest) {
  if (!account) return {}
  const { asOf, createdAt, cardStoredAt, purchases, dayCount, yearCount } = account
  return {
    acctInfo: {
      chAccDate: dayOf(createdAt),
      chAccAgeInd: ageOf(createdAt, asOf),
      nbPurchaseAccount: String(Math.min(purchases, PURCHASES_MAX)),
      txnActivityDay: String(Math.min(dayCount, TRANSACTIONS_MAX)),
      txnActivityYear: String(Math.min(yearCount, TRANSACTIONS_MAX)),
      ...(cardStoredAt && { paymentAccAge: dayOf(cardStoredAt), paymentAccInd: ageOf(cardStoredAt, asOf) }),
    },
  }
}

const dayOf = (instant: Date) => instant.toISOString().slice(0, 10).replaceAll('-', '')

function ageOf(from: Date, until: Date): string {
  const days = Math.floor((until.getTime() - from.getTime()) / DAY_MS)
  return AGES.find(([most]) => days < most)?.[1] ?? OLDEST
}
