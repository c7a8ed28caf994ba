import type { Business } from '../../businesses/business.ts'
import type { Cents, Currency } from '../../lib/money.ts'

// Facts that the letters report. Names and descriptions are as merchants and customers wrote them.

export interface CardFacts {
  /** Name of the brand, such as `Visa`. */
  brand: string
  last4: string
}

export interface PersonFacts {
  name: string | null
  email: string | null
}

export interface SubscriptionFacts {
  /** Description of its products. */
  description: string
  amount: Cents
  currency: Currency
  interval: 'day' | 'week' | 'month' | 'year'
  intervalCount: number
  /** `null` if the subscription has no end. */
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
  /** `null` for a payment without a subscription. */
  subscription: {
    description: string
    number: number
    installments: number | null
    /** `YYYY-MM-DD`; `null` if no payment follows, or if the day is unknown. */
    nextPaymentDay: string | null
  } | null
}

export interface DeclineFacts {
  code: string
  /** Message of the issuer. */
  message: string
  attempt: number
  /** 1 for a resume, which is not retried. */
  attemptsMax: number
  nextAttemptAt: Date | null
}

/** What happens to a subscription after the last attempt on its bill. */
export type AfterLastRetry = Business['afterLastRetry']
