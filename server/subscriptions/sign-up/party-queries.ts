import { inputValues, type PayerInput } from '../../checkout/pay/session-charge-queries.ts'
import type { Session } from '../../checkout/sessions/session.ts'
import type { NewCustomer } from '../../customers/customer.ts'
import { payerMembers, payerValues } from '../../customers/customer-queries.ts'
import type { NewStoredCard } from '../../customers/stored-card.ts'
import { storedCardValues, storedMembers } from '../../customers/stored-card-queries.ts'
import { type Placeholders, type Statement, statement } from '../../db/statement.ts'
import type { Outcome } from '../../payments/outcome-queries.ts'
import type { NewPayment } from '../../payments/payment.ts'
import { paymentRowValues } from '../../payments/payment-queries.ts'
import { outcomeValues } from '../../payments/sale-queries.ts'
import type { SealedCard } from '../../vault/sealed-card.ts'
import { insertSealedCard, sealedCardValues } from '../../vault/vault-queries.ts'

// Parts of a sign-up's statement that write the customer, the card and the payment.

/** Customer and card of a sign-up; either may be new. */
export interface SignUpParties {
  session: Session
  /** `null` if the statement creates the customer. */
  customerId: string | null
  newCustomer: NewCustomer | null
  /** Card stored with the approval; `null` for a saved card. */
  card: { stored: NewStoredCard; sealed: SealedCard } | null
  payer: PayerInput
  at: Date
}

/** Payment of the first bill. */
export interface SignUpPayment {
  outcome: Outcome
  payment: NewPayment
}

export interface Variant {
  isNew: boolean
  isKept: boolean
  isCharged: boolean
}

/**
 * Members `payer`, `stored` and `ids` of a `with`: the customer and the card that the subscription gets. A customer
 * with the same e-mail address, or the same card, may have been stored meanwhile.
 */
export function partyMembers(p: Placeholders, source: string, { isNew, isKept }: Variant): string {
  const payer = isNew ? payerMembers(p, source) : `payer as (select ${p.customerId}::uuid as id from ${source})`
  const card = isKept ? `${storedMembers(p)}, sealed as (${insertSealedCard(p, 'stored')}),` : ''
  return `${payer}, ${card}
  ids as (select payer.id::text as customer, ${isKept ? 'stored.id::text' : 'null::text'} as card
    from payer${isKept ? ', stored' : ''})`
}

const ROWS = ['subscriptionRow', 'eventRows', 'paymentRow']

/**
 * Returns the placeholders, with the ids of the possibly new customer and card in the JSON rows replaced by those of
 * `ids`.
 */
export function withIds(p: Placeholders, { isNew, isKept }: Variant): Placeholders {
  const row = (name: string) => {
    const customer = isNew ? `replace(${p[name]}::text, ${p.newCustomerId}::text, customer)` : `${p[name]}::text`
    return isKept ? `replace(${customer}, ${p.newCardId}::text, card)` : customer
  }
  const isPlain = !isNew && !isKept
  return new Proxy<Placeholders>(
    {},
    { get: (_none, name: string) => (isPlain || !ROWS.includes(name) ? p[name] : `(select ${row(name)} from ids)`) },
  )
}

/** Builds one statement per variant, without the parts that the variant does not write. */
export function variants(
  name: string,
  text: (p: Placeholders, variant: Variant) => string,
): (variant: Variant) => Statement {
  const made = new Map<string, Statement>()
  const nameOf = ({ isNew, isKept, isCharged }: Variant) =>
    `${name}${isNew ? '_new' : ''}${isKept ? '_kept' : ''}${isCharged ? '' : '_later'}`
  return (variant) => {
    const key = nameOf(variant)
    const known = made.get(key) ?? statement(key, (p) => text(p, variant))
    made.set(key, known)
    return known
  }
}

export const variantOf = ({ newCustomer, card }: SignUpParties, paid: SignUpPayment | null): Variant => ({
  isNew: newCustomer !== null,
  isKept: card !== null,
  isCharged: paid !== null,
})

export const partyValues = ({ session, customerId, newCustomer, card, payer, at }: SignUpParties) => ({
  ...inputValues(payer),
  verification: session.verification && JSON.stringify(session.verification),
  businessId: session.businessId,
  sessionId: session.id,
  customerId,
  at,
  ...(newCustomer && payerValues(newCustomer)),
  ...(card && { ...storedCardValues(card.stored), ...sealedCardValues(card.sealed) }),
})

export const paymentValues = (paid: SignUpPayment | null) =>
  paid && { ...outcomeValues(paid.outcome), ...paymentRowValues(paid.payment) }
