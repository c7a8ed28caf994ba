import { CARDS } from './card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf } from './merchant.ts'
import { customerOf, eventsOf, storedCards } from './recorded.ts'
import type { TestService } from './service.ts'
import { type ShopPage, shopPageOf } from './shop-page.ts'
import { storeCard } from './stored-card.ts'

// A shop that knows its customers, for tests of who is charged and whose cards are shown.

export interface ShopCustomers extends ShopPage {
  merchant: Merchant
  payer: ReturnType<typeof payerOf>
  /** Returns the session as the merchant reads it. */
  details(token: string): Promise<Awaited<ReturnType<Merchant['details']>>['body']>
  cardsOf(customerId: string): ReturnType<typeof storedCards>
  /** Returns a customer whom the merchant knows, with a stored card, and the data of both that nobody may change. */
  knownCustomer(email: string): ReturnType<typeof knownCustomer>
}

/** Returns a pay request that asks to save the card. */
export const savingBody = (number = CARDS.visa) => payBody(number, { saveCard: true })

export function shopCustomersOf(service: TestService): ShopCustomers {
  const merchant = merchantOf(service)
  return {
    ...shopPageOf(service, merchant),
    merchant,
    payer: payerOf(service),
    details: async (token) => (await merchant.details(token)).body.checkout_session,
    cardsOf: (customerId) => cardsOf(service, customerId),
    knownCustomer: (email) => knownCustomer(service, email),
  }
}

async function cardsOf(service: TestService, customerId: string) {
  return (await storedCards(service)).filter((card) => card.customer_id === customerId)
}

async function knownCustomer(service: TestService, email: string) {
  const ids = await storeCard(service, email)
  const everything = async () => ({
    customer: await customerOf(service, email),
    cards: await cardsOf(service, ids.customerId),
    events: (await eventsOf(service, ids.customerId)).length,
  })
  return { ...ids, everything, before: await everything() }
}
