import type { Business } from '../../businesses/business.ts'
import type { Cents, Currency } from '../../lib/money.ts'

// What the letters report. Names and descriptions are as merchants and customers wrote them.

export interface CardFacts {
  /** Such as `Visa`. */
  brand: string
  last4: string
}

export interface PersonFacts {
  name: string | null
  email: string | null
}

export interface SubscriptionFacts {
  /** Of its products. */
  description: string
  amount: Cents
  currency: Currency
  interval: 'day' | 'week' | 'month' | 'year'
  intervalCount: number
  /** `null` without end. */
  installments: number | null
  taxAmount: Cents
  surchargeAmount: Cents
}

export interface PaymentFacts {
  amount: Cents
  currency: Currency
  taxAmount: Cents
  surchargeAmount: Cents
  card: CardFacts | null
  customer: PersonFacts
  at: Date
  receiptId: string
  /** `null` for a payment of no subscription. */
  subscription: {
    description: string
    number: number
    installments: number | null
    /** `YYYY-MM-DD`; `null` when none is to come, or is not known. */
    nextPaymentDay: string | null
  } | null
}

export interface DeclineFacts {
  code: string
  /** Of the issuer. */
  message: string
  attempt: number
  /** 1 for a resume, which is not tried again. */
  attemptsMax: number
  nextAttemptAt: Date | null
}

/** What becomes of a subscription whose bill is exhausted. */
export type AfterLastRetry = Business['afterLastRetry']
