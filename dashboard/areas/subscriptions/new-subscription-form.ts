import type { FrequencyLabel } from '../../../contract/dashboard/subscription-words.ts'
import type { DashboardSubscriptionCreate } from '../../../contract/dashboard/subscriptions-api.ts'

export interface PriceLine {
  key: string
  price: string | null
  quantity: number
}

/** Input for a new subscription. Percentages and counts are as typed. */
export interface NewSubscription {
  customerKind: 'known' | 'new'
  customer: string | null
  name: string
  email: string
  whatKind: 'prices' | 'amount'
  prices: PriceLine[]
  amount: number | null
  frequency: FrequencyLabel
  startDate: string
  installments: string
  taxRate: string
  surchargeRate: string
  cardKind: 'stored' | 'link'
  card: string | null
  sendsLetter: boolean
  contract: string | null
  reference: string
}

export const EMPTY: NewSubscription = {
  customerKind: 'known',
  customer: null,
  name: '',
  email: '',
  whatKind: 'prices',
  prices: [{ key: 'first', price: null, quantity: 1 }],
  amount: null,
  frequency: 'Monthly',
  startDate: '',
  installments: '',
  taxRate: '',
  surchargeRate: '',
  cardKind: 'stored',
  card: null,
  sendsLetter: true,
  contract: null,
  reference: '',
}

export type FormErrors = Partial<Record<'taxRate' | 'surchargeRate' | 'installments', true>>

/** Returns the errors of texts that are not numbers; the server checks everything else. */
export function formErrors({ taxRate, surchargeRate, installments }: NewSubscription): FormErrors {
  return {
    ...(numberOf(taxRate) === null && { taxRate: true }),
    ...(numberOf(surchargeRate) === null && { surchargeRate: true }),
    ...(numberOf(installments) === null && { installments: true }),
  }
}

/** Reads a number; `undefined` for an empty text, `null` for an invalid one. */
function numberOf(text: string): number | null | undefined {
  const plain = text.trim().replace(',', '.')
  if (plain === '') return undefined
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : null
}

/** Returns the body of the call; `null` while a required value is missing. */
export function bodyOf(form: NewSubscription): DashboardSubscriptionCreate | null {
  const who = whoOf(form)
  const what = whatOf(form)
  const card = cardOf(form)
  if (who === null || what === null || card === null || Object.keys(formErrors(form)).length > 0) return null
  const [tax, surcharge, count] = [form.taxRate, form.surchargeRate, form.installments].map(numberOf)
  return {
    ...who,
    ...what,
    ...card,
    ...(form.startDate !== '' && { start_date: form.startDate }),
    ...(count != null && { installments: count }),
    ...(tax != null && { tax_rate: tax }),
    ...(surcharge != null && { surcharge_rate: surcharge }),
    ...(form.contract !== null && { contract: form.contract }),
    ...(form.reference.trim() !== '' && { reference: form.reference.trim() }),
  }
}

function whoOf({ customerKind, customer, name, email }: NewSubscription) {
  if (customerKind === 'known') return customer === null ? null : { customer }
  if (!email.includes('@')) return null
  return { new_customer: { email: email.trim(), ...(name.trim() !== '' && { name: name.trim() }) } }
}

function whatOf({ whatKind, prices, amount, frequency }: NewSubscription) {
  if (whatKind === 'amount') return amount === null ? null : { amount, frequency }
  const items = prices.flatMap(({ price, quantity }) => (price === null ? [] : [{ price, quantity }]))
  return items.length === 0 ? null : { items }
}

function cardOf({ customerKind, cardKind, card, sendsLetter }: NewSubscription) {
  if (customerKind === 'new' || cardKind === 'link') return { send_payment_link: sendsLetter }
  return card === null ? null : { payment_method: card }
}
