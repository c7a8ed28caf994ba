import type { CustomerCard, CustomerDetail } from '../../../contract/dashboard/customers-api.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { findLiveCardLinks } from '../../checkout/sessions/customer-card-link-queries.ts'
import { type Customer, customerObject, noSuchCustomer } from '../../customers/customer.ts'
import { findCustomer, findRecipient } from '../../customers/customer-queries.ts'
import { paymentMethodObject } from '../../customers/payment-method.ts'
import type { Db } from '../../db/connection.ts'
import { type Clock, epochSeconds } from '../../lib/clock.ts'
import { isPast } from '../../vault/card.ts'
import { listBriefsOfCustomer } from '../subscription-brief-queries.ts'
import { versionOf } from '../version.ts'
import { listLettersFor } from './customer-letter-queries.ts'
import { readPaymentsAndSessions, type Selecting } from './customer-lists.ts'
import { type DetailedCard, listCardsOf, listContractsOf } from './customer-queries.ts'
import { findFigures } from './customers-queries.ts'

/** How many of each kind the page of a customer shows. */
const SHOWN = 10
const CARDS_MAX = 50

interface Reading {
  db: Db
  clock: Clock
  /** Plans the selections of ids for their values; absent in the transaction of a change. */
  selecting?: Selecting
}

/** @throws ApiError `not_found` */
export async function readCustomer(
  { db, clock, selecting = (work) => work(db) }: Reading,
  business: Business,
  id: string,
): Promise<CustomerDetail> {
  const customer = await findCustomer(db, business.id, id)
  if (!customer) throw noSuchCustomer()
  const now = businessNow(clock, business)
  const of = { businessId: business.id, customerId: id, limit: SHOWN + 1 }
  const { email } = customer
  const [figures, recipient, cards, subscriptions, paid, letters, contracts, links] = await Promise.all([
    findFigures(db, business.id, id),
    findRecipient(db, business.id, id),
    listCardsOf(db, { ...of, limit: CARDS_MAX }),
    listBriefsOfCustomer(db, business.id, id, SHOWN + 1),
    readPaymentsAndSessions(db, selecting, { ...of, limit: SHOWN, now: clock.now(), businessNow: now }),
    listLettersFor(db, { ...of, email }, { limit: SHOWN }),
    listContractsOf(db, of),
    findLiveCardLinks(db, of, now),
  ])
  return {
    ...customerObject(customer),
    version: customerVersion(customer),
    view: {
      ...figures,
      locale: recipient?.locale ?? null,
      payment_methods: cards.map((card) => customerCard(card, now)),
      subscriptions: newest(subscriptions),
      ...paid,
      letters: { data: letters.rows, has_more: letters.hasMore },
      contracts: newest(contracts),
      card_links: links && {
        count: links.count,
        created: epochSeconds(links.createdAt),
        expires: epochSeconds(links.expiresAt),
      },
    },
  }
}

export const newest = <Item>(items: Item[], shown = SHOWN) => ({
  data: items.slice(0, shown),
  has_more: items.length > shown,
})

export const customerVersion = ({ name, email, phone, metadata }: Customer) =>
  versionOf({ name, email, phone, metadata })

/** @param now in the business's time */
export function customerCard(card: DetailedCard, now: Date): CustomerCard {
  const { nameOnCard, funding, chargeBlock, subscriptions, expMonth: month, expYear: year } = card
  return {
    ...paymentMethodObject(card),
    view: {
      name_on_card: nameOnCard,
      funding,
      is_expired: isPast({ month, year }, now),
      charge_block: chargeBlock,
      subscriptions,
    },
  }
}
