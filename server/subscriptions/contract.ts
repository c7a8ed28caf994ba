import type { SubscriptionContract } from '../../contract/subscription.ts'
import { epochSeconds } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'

/** Who signed a contract, when, and from where; in the business's time. */
export interface Signature {
  name: string
  at: Date
  ip: string
  /** Whether a member had been seen at that address in the 30 days before; `null` if this was not checked. */
  teamSeenThere: boolean | null
}

/** Text for the customer to sign; it never changes. */
export interface Contract {
  businessId: string
  id: string
  customerId: string
  /** `draft` until it is sent to the customer. */
  status: SubscriptionContract['status']
  title: string
  text: string
  signature: Signature | null
  createdAt: Date
}

/** The parts of a subscription that its contract restricts. */
interface Linked {
  subscription: { contractId: string | null }
  contract?: Contract
}

/** Whether a linked contract forbids activation, charges and resume. @see SUB-7 */
export const isUnsigned = ({ subscription, contract }: Linked): boolean =>
  subscription.contractId !== null && contract?.status !== 'signed'

/** @throws ApiError `contract_unsigned` */
export function requireSigned(loaded: Linked): void {
  if (isUnsigned(loaded)) throw contractUnsigned()
}

const contractUnsigned = () =>
  new ApiError('contract_unsigned', {
    message: 'The contract of this subscription is not signed. The customer must sign it first. Nothing was charged.',
    extra: { charged: false },
  })

/** Returns the contract as the subscription shows it. @param url where the customer signs it */
export function contractObject({ id, status, signature }: Contract, url: string | null): SubscriptionContract {
  return { id, status, signed_at: signature && epochSeconds(signature.at), url: status === 'sent' ? url : null }
}
