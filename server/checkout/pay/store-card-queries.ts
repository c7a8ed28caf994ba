import { endChargeBlock } from '../../customers/billed-card-queries.ts'
import type { NewStoredCard } from '../../customers/stored-card.ts'
import { storedCardValues, storedMembers } from '../../customers/stored-card-queries.ts'
import type { Db } from '../../db/connection.ts'
import { run, statement } from '../../db/statement.ts'
import { transaction } from '../../db/transaction.ts'
import type { NewEvent } from '../../events/event.ts'
import { eventValues, firstEventMembers } from '../../events/event-queries.ts'
import type { SealedCard } from '../../vault/sealed-card.ts'
import { insertSealedCard, sealedCardValues } from '../../vault/vault-queries.ts'
import { lockPending, ofSession } from '../sessions/completion-queries.ts'

const STORE = statement(
  'store_card_of_session',
  (p) => `with ${lockPending(p)},
  payer as (select ${p.customerId}::uuid as id from locked),
  ${storedMembers(p)},
  sealed as (${insertSealedCard(p, 'stored')}),
  completed as (
    update checkout_session s set status = 'COMPLETED', overdue_at = null, completed_at = ${p.at}::timestamptz,
      payer_customer_id = payer.id
    from payer where ${ofSession(p, 's.')}
  ),
  ${firstEventMembers(p, { source: 'locked' })}
  select id from stored`,
)

interface VerifiedCard {
  businessId: string
  sessionId: string
  customerId: string
  stored: NewStoredCard
  sealed: SealedCard
  /** Event `checkout.session.completed`. */
  completed: NewEvent
  /** Time of completion, by the clock of the business. */
  at: Date
}

/**
 * Stores the verified card and completes the session, both or neither. The customer has shown that the card is theirs,
 * so a charge block on it is lifted.
 *
 * @returns the id of the card, which may have been stored before; `null` if another writer closed the session first
 */
export function recordVerifiedCard(db: Db, verified: VerifiedCard): Promise<string | null> {
  const { businessId, sessionId, customerId, stored, sealed, completed, at } = verified
  const values = { businessId, sessionId, customerId, at }
  return transaction(db, async (tx) => {
    const [row] = await run<{ id: string }>(tx, STORE, {
      ...values,
      ...storedCardValues(stored),
      ...sealedCardValues(sealed),
      ...eventValues(completed),
    })
    if (!row) return null
    await endChargeBlock(tx, businessId, row.id)
    return row.id
  })
}
