import { TRACE_SECONDS, tracesOf } from '../../access/sessions/member-trace.ts'
import { wasMemberSeen } from '../../access/sessions/member-trace-queries.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import type { Signer } from '../../checkout/pay/sign-ups.ts'
import { customerExists } from '../../customers/customer-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type Tx, transaction } from '../../db/transaction.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { saveChange } from '../change-queries.ts'
import type { Contract } from '../contract.ts'
import { transitionEvent } from '../lifecycle/change-subscription.ts'
import { rescheduled } from '../lifecycle/due.ts'
import { conflict, type LoadedSubscription, noSuchSubscription } from '../subscription.ts'
import type { DetailServices } from '../subscription-details.ts'
import { lockSubscription } from '../subscription-queries.ts'
import { checkContractText } from './check-contract-text.ts'
import { changeStatus, findContract, insertContract } from './contract-queries.ts'

export interface ContractServices extends DetailServices {
  clock: Clock
}

export interface WhichContract {
  business: Business
  id: string
}

/** Creates a draft for a customer. @throws ApiError `not_found`, `validation_failed` */
export async function createContract(
  { db, clock }: { db: Db; clock: Clock },
  { business, customerId, title, text }: { business: Business; customerId: string; title: string; text: string },
): Promise<Contract> {
  checkContractText(text)
  if (!(await customerExists(db, business.id, customerId))) throw unknown('customer')
  const now = businessNow(clock, business)
  const businessId = business.id
  const contract: Contract = {
    businessId,
    id: newId(),
    customerId,
    status: 'draft',
    title,
    text,
    signature: null,
    createdAt: now,
  }
  await insertContract(db, contract)
  return contract
}

/** Sends the contract: from now on the customer can sign it. @throws ApiError `not_found`, `conflict` */
export const sendContract = (services: ContractServices, which: WhichContract) =>
  changeContract(services, which, (contract) => {
    if (contract.status !== 'draft') throw conflict(`The contract is ${contract.status}. Only a draft can be sent.`)
    return { ...contract, status: 'sent' }
  })

/** Voids the contract: its subscription is no longer charged. @throws ApiError `not_found`, `conflict` */
export const voidContract = (services: ContractServices, which: WhichContract) =>
  changeContract(services, which, (contract) => {
    if (contract.status === 'void') throw conflict('The contract is void already.')
    return { ...contract, status: 'void' }
  })

/**
 * Records the customer's signature. Members can be shown the link of a contract, so the record also says whether one of
 * them had been seen where it was signed.
 *
 * @throws ApiError `not_found`, `conflict`
 * @see SUB-152
 */
export const signContract = (services: ContractServices, which: WhichContract, by: Signer) =>
  changeContract(services, which, async (contract, now, tx) => {
    if (contract.status !== 'sent')
      throw conflict(`The contract is ${contract.status}. Only one that was sent is signed.`)
    const { name, ip } = by
    const since = addSeconds(services.clock.now(), -TRACE_SECONDS)
    const teamSeenThere = await wasMemberSeen(tx, { businessId: contract.businessId, traces: tracesOf(by) }, since)
    return { ...contract, status: 'signed', signature: { name, ip, at: now, teamSeenThere } }
  })

/**
 * Changes a contract, and what follows for its subscription: the schedule, and the event that shows the new status. The
 * subscription is locked first, as it is for a charge.
 */
async function changeContract(
  services: ContractServices,
  { business, id }: WhichContract,
  decide: (contract: Contract, now: Date, tx: Tx) => Contract | Promise<Contract>,
): Promise<Contract> {
  const now = businessNow(services.clock, business)
  return transaction(services.db, async (tx) => {
    const inside = { ...services, db: tx }
    const found = await findContract(tx, business.id, id)
    if (!found) throw unknown('contract')
    const { subscriptionId } = found
    const linked = subscriptionId === null ? undefined : await lockSubscription(tx, business.id, subscriptionId)
    const contract = await decide(found.contract, now, tx)
    if (!(await changeStatus(tx, found.contract, contract, now))) throw conflict('The contract was changed meanwhile.')
    if (linked?.contract?.id === id) await saveLinked(inside, linked, { ...linked, contract }, now)
    return contract
  })
}

/**
 * Links a contract to a subscription of the same customer, replacing a void one if there is one.
 *
 * @throws ApiError `not_found`, `conflict`, `validation_failed`
 */
export async function linkContract(
  services: ContractServices,
  { business, id, subscriptionId }: WhichContract & { subscriptionId: string },
): Promise<LoadedSubscription> {
  const now = businessNow(services.clock, business)
  return transaction(services.db, async (tx) => {
    const before = await lockSubscription(tx, business.id, subscriptionId)
    if (!before) throw noSuchSubscription()
    const found = await findContract(tx, business.id, id)
    if (!found) throw unknown('contract')
    checkLink(before, found.contract, found.subscriptionId)
    const subscription = { ...before.subscription, contractId: id }
    return saveLinked({ ...services, db: tx }, before, { ...before, subscription, contract: found.contract }, now)
  })
}

function checkLink(
  { subscription, contract: former }: LoadedSubscription,
  contract: Contract,
  linkedTo: string | null,
): void {
  const { id, status, contractId, customerId } = subscription
  if (status === 'canceled' || status === 'completed') throw conflict(`The subscription is ${status}.`)
  if (contractId !== null && contractId !== contract.id && former?.status !== 'void')
    throw conflict('The subscription has another contract.')
  if (linkedTo !== null && linkedTo !== id) throw conflict('The contract is linked to another subscription.')
  if (contract.status === 'void') throw conflict('The contract is void.')
  if (contract.customerId !== customerId) throw conflict('The contract is of another customer.')
}

async function saveLinked(
  services: DetailServices,
  before: LoadedSubscription,
  linked: LoadedSubscription,
  now: Date,
): Promise<LoadedSubscription> {
  const changed = { ...linked, subscription: rescheduled(linked) }
  const event = await transitionEvent(services, { before, changed, type: 'subscription.updated', createdAt: now })
  const change = { before, after: changed.subscription, events: event ? [event] : [] }
  if (!(await saveChange(services.db, change))) throw conflict('The subscription was changed meanwhile. Try again.')
  return changed
}

const unknown = (what: 'customer' | 'contract') =>
  new ApiError('not_found', { message: `No such ${what}`, errors: { [what]: ['does not exist in this business'] } })
