import type { CreatePreview } from '../../../contract/dashboard/subscription-views.ts'
import { frequencyLabelled, frequencyOf } from '../../../contract/dashboard/subscription-words.ts'
import type { DashboardSubscriptionCreate } from '../../../contract/dashboard/subscriptions-api.ts'
import type { Metadata } from '../../../contract/formats.ts'
import type { SubscriptionCreate } from '../../../contract/subscription.ts'
import type { Business } from '../../businesses/business.ts'
import { findLetterSettings } from '../../businesses/letter-settings-queries.ts'
import { findCustomerByEmail, findRecipient } from '../../customers/customer-queries.ts'
import type { Db } from '../../db/connection.ts'
import { invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Cents } from '../../lib/money.ts'
import {
  type AskedSubscription,
  type PlannedSubscription,
  planSubscription,
} from '../../subscriptions/create/plan-subscription.ts'
import { figuresOf } from '../../subscriptions/create/preview-subscription.ts'
import type { LifecycleServices } from '../../subscriptions/lifecycle/change-subscription.ts'
import { previewHash } from '../preview-hash.ts'
import { lettersOfCreate } from './create-letters.ts'

/**
 * Converts what a page sends into the input of the use case.
 *
 * @param customerId id of a customer who was created for the subscription
 * @throws ApiError `validation_failed`
 */
export function askedSubscription(
  business: Business,
  body: DashboardSubscriptionCreate,
  customerId?: string,
): AskedSubscription {
  const { customer, new_customer, amount, frequency, contract, reference, preview_hash, ...terms } = body
  if ((customer === undefined) === (new_customer === undefined))
    throw invalidField('customer', 'choose a customer, or enter a new one')
  if (new_customer && terms.payment_method !== undefined)
    throw invalidField('payment_method', 'is of a customer with a card on file')
  const metadata = withReference(terms.metadata ?? {}, reference)
  const input: SubscriptionCreate = {
    ...terms,
    customer: customer ?? customerId ?? newId(),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
  return {
    business,
    input,
    own: ownOf(body),
    isNewCustomer: customer === undefined && customerId === undefined,
  }
}

function ownOf({ amount, frequency, price, items }: DashboardSubscriptionCreate): AskedSubscription['own'] {
  if (amount === undefined && frequency === undefined) return undefined
  if (price !== undefined || items !== undefined) throw invalidField('amount', 'cannot be sent together with a price')
  if (amount === undefined) throw invalidField('amount', 'is required with a frequency')
  if (frequency === undefined) throw invalidField('frequency', 'is required with an amount')
  const { interval, count } = frequencyLabelled(frequency)
  return { unitAmount: amount as Cents, cadence: { interval, count } }
}

/**
 * Sets the `reference` in the metadata; `null` removes it.
 *
 * @see SUB-49
 */
export function withReference(metadata: Metadata, reference: string | null | undefined): Metadata {
  if (reference === undefined) return metadata
  const { reference: _former, ...others } = metadata
  return reference === null ? others : { ...others, reference }
}

/**
 * Previews what creating the subscription would do.
 *
 * @throws ApiError `validation_failed`, `not_found`
 * @see DSH-5
 */
export async function previewNewSubscription(
  services: LifecycleServices,
  business: Business,
  body: DashboardSubscriptionCreate,
): Promise<CreatePreview> {
  const asked = askedSubscription(business, body)
  const planned = await planSubscription(services, asked)
  const recipient = await recipientOf(services.db, planned, body)
  const existing = await existingCustomer(services.db, business.id, body)
  const settings = await findLetterSettings(services.db, business.id)
  const { terms, waiting, first } = planned
  const figures = figuresOf(planned)
  const { interval, count } = waiting.cadence
  const shown = {
    object: 'subscription_create_preview' as const,
    existing_customer: existing,
    amounts: terms.amounts,
    currency: waiting.currency === 'USD' ? ('usd' as const) : ('cad' as const),
    frequency: frequencyOf(interval, count).label,
    first,
    charged_now: figures.chargedNow,
    start_date: waiting.startDate,
    next_dates: figures.nextDays,
    last_date: figures.lastDay,
    plan_total: figures.planTotal,
    surcharge_waived: figures.surchargeWaived,
  }
  const letters = lettersOfCreate(waiting, { first, recipient, settings })
  return { ...shown, letters, preview_hash: previewHash({ ...shown, card: waiting.storedCardId }) }
}

async function recipientOf(
  db: Db,
  { business, order }: PlannedSubscription,
  { new_customer }: DashboardSubscriptionCreate,
): Promise<string | null> {
  if (new_customer) return new_customer.email
  return (await findRecipient(db, business.id, order.customerId))?.email ?? null
}

/** Finds the customer that `createCustomer` would return instead of a new one. */
async function existingCustomer(
  db: Db,
  businessId: string,
  { new_customer }: DashboardSubscriptionCreate,
): Promise<CreatePreview['existing_customer']> {
  const found = new_customer && (await findCustomerByEmail(db, businessId, new_customer.email))
  return found ? { id: found.id, name: found.name, email: found.email ?? new_customer.email } : null
}
