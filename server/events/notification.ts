import type { EventType } from '../../contract/event.ts'
import type { Role } from '../../contract/permissions.ts'
import type { AccountChange } from '../access/people/person-notice.ts'
import { newId } from '../lib/ids.ts'
import type { Keyring } from '../lib/keyring.ts'
import { openText, sealText } from '../lib/sealed-text.ts'

/** Recipient who belongs to the business and is not its customer. */
interface ToPerson {
  email: string
  locale: string | null
}

/** Code of a link, sealed for its notification, in base64. It is wiped when the e-mail is composed (LTR-110). */
interface SealedCode {
  sealed_code: string
}

/** Facts without an event that cause e-mails, with the data that is recorded for each. */
export interface NotificationData {
  'webhook_endpoint.disabled': { endpoint_id: string; url: string; reason: string }
  /** Card that subscriptions are charged to, and the last month in which it is valid. */
  'card.expiring': { stored_card_id: string; exp_month: number; exp_year: number }
  /** `date` is the local day of the bill, `YYYY-MM-DD`. */
  'subscription.upcoming_renewal': { subscription_id: string; date: string }
  /** The merchant asks the customer to enter a new card. */
  'subscription.card_link': { subscription_id: string }
  /** The merchant asks the customer to store a card, with or without a subscription. */
  'customer.card_request': { customer_id: string; link_id: string }
  /** The merchant asks the customer to sign. */
  'contract.link': { contract_id: string }
  'person.password_reset': ToPerson & SealedCode
  'person.invited': ToPerson & SealedCode & { inviter: string; role: Role; expires_at: string }
  /** Times are ISO 8601; `due_at` is when the reset takes effect, `null` if it already has. */
  'person.factors_reset': ToPerson & { by: string | null; due_at: string | null }
  'person.account_changed': ToPerson & { change: AccountChange; passkey: string | null }
}

type NotifiedFact = keyof NotificationData
export type NotificationType = EventType | NotifiedFact

/** Fact without an event. A fact with one is recorded by the statement of the event. */
export type NewNotification = {
  [Type in NotifiedFact]: { businessId: string; id: string; type: Type; data: NotificationData[Type]; createdAt: Date }
}[NotifiedFact]

/** @param given `createdAt` is in the time of the business */
export function newNotification<Type extends NotifiedFact>(given: {
  /** Id of the notification; a new one by default. */
  id?: string
  businessId: string
  type: Type
  data: NotificationData[Type]
  createdAt: Date
}): NewNotification {
  // The type checker cannot see that the type and its data belong together.
  return { id: newId(), ...given } as NewNotification
}

const rowOf = ({ businessId, id }: Pick<NewNotification, 'businessId' | 'id'>) => `notification ${businessId} ${id}`

export const sealCode = (keyring: Keyring, of: { businessId: string; id: string }, code: string): string =>
  sealText(keyring, 'seal letters', rowOf(of), code).toString('base64')

/** @throws if the code was sealed for another notification, or modified */
export const openCode = (keyring: Keyring, of: { businessId: string; id: string }, sealed: string): string =>
  openText(keyring, 'seal letters', rowOf(of), Buffer.from(sealed, 'base64'))

/** Notification that a worker has claimed, until its lease ends. */
export interface ClaimedNotification {
  businessId: string
  id: string
  type: NotificationType
  /** Data of a fact without an event. */
  data: object
  event: { objectId: string; data: { object: object; previous_attributes?: object; refund?: object } } | null
  /** Number of the claim, starting at 1. A worker whose claim is not the latest is too late. */
  attempts: number
  createdAt: Date
}
