import Type, { type Static } from 'typebox'
import type { SurchargeResponse } from '../../../contract/checkout-form.ts'
import { Country, Line, PostalCode, Uuid } from '../../../contract/formats.ts'
import { findStoredCard } from '../../customers/stored-card-queries.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import type { BinTable } from '../../vault/bin-table.ts'
import { findPayable, type LoadedSession, type LookupServices } from '../sessions/load-session.ts'
import { cardOwnerOf } from '../sessions/session-customer.ts'
import { storedCardFacts, surchargeOf, surchargeView, withShipping } from './surcharge.ts'

const PLACE = {
  country: Type.Optional(Country()),
  state: Type.Optional(Line(100)),
  postal_code: Type.Optional(PostalCode()),
}

/** The request body. This path must not receive more digits of a card number. */
export const SurchargeQuestion = Type.Object(
  {
    cardId: Type.Optional(Uuid()),
    bin: Type.Optional(Type.String({ maxLength: 8, format: 'bin' })),
    ...PLACE,
    shipping: Type.Optional(Type.Object(PLACE)),
  },
  { title: 'SurchargeQuestion' },
)
export type SurchargeQuestion = Static<typeof SurchargeQuestion>

/**
 * Quotes the surcharge of a card, which the payer must see before paying. The pay request computes it again.
 *
 * @throws ApiError an error of a closed state, `not_found`, `validation_failed`
 */
export async function quoteSurcharge(
  services: LookupServices & { bins: BinTable },
  { token, body }: { token: string; body: SurchargeQuestion },
): Promise<SurchargeResponse> {
  const loaded = await findPayable(services, token)
  const { session, business } = loaded
  const facts = await factsOf(services, loaded, body)
  return { ok: true, surcharge: surchargeView(loaded, surchargeOf(session, business, facts)) }
}

async function factsOf(
  { db, bins }: { db: LookupServices['db']; bins: BinTable },
  { session }: LoadedSession,
  { cardId, bin, shipping, ...place }: SurchargeQuestion,
) {
  if (cardId === undefined) {
    if (bin === undefined) throw invalidField('bin', 'is required when cardId is absent')
    return { funding: bins.fundingOf(bin), places: withShipping([place], shipping) }
  }
  const { businessId } = session
  const customerId = cardOwnerOf(session)
  const card = customerId === null ? undefined : await findStoredCard(db, { businessId, customerId, id: cardId })
  if (card) {
    const { funding, places } = storedCardFacts(card)
    return { funding, places: withShipping([...places, place], shipping) }
  }
  throw new ApiError('not_found', { message: 'No such card', errors: { cardId: ['is not available in this session'] } })
}
