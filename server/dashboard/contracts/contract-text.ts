import { CONTRACT_PLACEHOLDERS, type ContractPlaceholder } from '../../../contract/dashboard/contract-placeholders.ts'
import type { ContractCreate } from '../../../contract/dashboard/contracts-api.ts'
import type { SubscriptionBrief } from '../../../contract/dashboard/subscription-brief.ts'
import type { Locale } from '../../../contract/payment-page.ts'
import type { Business } from '../../businesses/business.ts'
import type { Customer } from '../../customers/customer.ts'
import { letterWords } from '../../emails/templates/letter-words.ts'
import { frequencyOf } from '../../emails/templates/subscription-letters.ts'
import { invalidField } from '../../lib/errors.ts'
import type { Cents } from '../../lib/money.ts'
import { checkContractText } from '../../subscriptions/contracts/check-contract-text.ts'

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g

interface Facts {
  business: Business
  customer: Customer
  subscription: (SubscriptionBrief & { start_date: string }) | null
  /** Current time of the business. */
  now: Date
}

type Draft = Pick<ContractCreate, 'text' | 'locale'>

/**
 * Returns the text that the customer reads. A placeholder without a known value stays in it, and is listed.
 *
 * @throws ApiError `validation_failed` for a placeholder that does not exist, and for a text that is too long
 */
export function fillContract({ text, locale }: Draft, facts: Facts): { text: string; unfilled: string[] } {
  const values = valuesOf(facts, locale ?? (facts.business.locale as Locale | null) ?? 'en')
  const unfilled = new Set<string>()
  const filled = text.replace(PLACEHOLDER, (given, name: string) => {
    if (!isPlaceholder(name)) throw invalidField('text', `has an unknown placeholder: ${name}`)
    const value = values[name]
    if (value === null) unfilled.add(name)
    return value ?? given
  })
  const whole = filled.trim()
  checkContractText(whole)
  return { text: whole.normalize('NFC'), unfilled: [...unfilled] }
}

const isPlaceholder = (name: string): name is ContractPlaceholder =>
  (CONTRACT_PLACEHOLDERS as readonly string[]).includes(name)

function valuesOf(
  { business, customer, subscription, now }: Facts,
  locale: Locale,
): Record<ContractPlaceholder, string | null> {
  const words = letterWords(locale, business)
  return {
    customer_name: customer.name,
    customer_email: customer.email,
    business_name: business.name,
    today: words.date(now),
    subscription: subscription?.description ?? null,
    amount: subscription && words.money(subscription.amount as Cents, subscription.currency),
    frequency: subscription && frequencyOf(words, subscription.interval, subscription.interval_count),
    start_date: subscription && words.day(subscription.start_date),
  }
}
