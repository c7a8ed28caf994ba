import type { ContractCreate, ContractDetail } from '../../../contract/dashboard/contracts-api.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { findCustomer } from '../../customers/customer-queries.ts'
import type { Db } from '../../db/connection.ts'
import type { Clock } from '../../lib/clock.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { findContract } from '../../subscriptions/contracts/contract-queries.ts'
import { findSubscription } from '../../subscriptions/subscription-queries.ts'
import { findBrief } from '../subscription-brief-queries.ts'
import { fillContract } from './contract-text.ts'
import { findContractRow } from './contracts-queries.ts'

/**
 * Reads a contract without its signing link, which only a separate call shows (DSH-110).
 *
 * @throws ApiError `not_found`
 */
export async function readContract({ db }: { db: Db }, businessId: string, id: string): Promise<ContractDetail> {
  const [row, found] = await Promise.all([findContractRow(db, businessId, id), findContract(db, businessId, id)])
  if (!row || !found) throw notFound('contract')
  const { text, signature } = found.contract
  const linked = row.subscription === null ? undefined : await findBrief(db, businessId, row.subscription)
  return {
    ...row,
    text,
    signature: signature && {
      name: signature.name,
      ip: signature.ip,
      at: epochSeconds(signature.at),
      team_seen_there: signature.teamSeenThere,
    },
    url: null,
    linked: linked ?? null,
  }
}

/** @throws ApiError `not_found`; `validation_failed` for a placeholder that does not exist */
export async function fillDraft(
  { db, clock }: { db: Db; clock: Clock },
  business: Business,
  { customer: customerId, subscription: subscriptionId, ...draft }: Omit<ContractCreate, 'title'>,
): Promise<{ text: string; unfilled: string[] }> {
  const customer = await findCustomer(db, business.id, customerId)
  if (!customer) throw notFound('customer')
  const now = businessNow(clock, business)
  if (subscriptionId === undefined) return fillContract(draft, { business, customer, subscription: null, now })
  const [brief, loaded] = await Promise.all([
    findBrief(db, business.id, subscriptionId),
    findSubscription(db, business.id, subscriptionId),
  ])
  if (!brief || loaded?.subscription.customerId !== customerId) throw notFound('subscription')
  const subscription = { ...brief, start_date: loaded.subscription.startDate }
  return fillContract(draft, { business, customer, subscription, now })
}

const notFound = (what: 'contract' | 'customer' | 'subscription') =>
  new ApiError('not_found', {
    message: `No such ${what}`,
    errors: { [what === 'contract' ? 'id' : what]: ['does not exist in this business'] },
  })
