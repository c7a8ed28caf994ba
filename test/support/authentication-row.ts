import type { Updateable } from 'kysely'
import type { Authentication as AuthenticationTable } from '../../server/db/tables.ts'
import { newId } from '../../server/lib/ids.ts'
import type { Cents } from '../../server/lib/money.ts'
import { dddSessionId, expiryOf } from '../../server/three-d-secure/authentication.ts'
import { insertAuthentication } from '../../server/three-d-secure/authentication-queries.ts'
import { recordLookup } from '../../server/three-d-secure/authentication-state-queries.ts'
import type { TestService } from './service.ts'

// Inserts authentications directly, in any state, with any URLs of a bank.

type Services = Pick<TestService, 'app'>

export interface RecordedAuthentication {
  id: string
  /** The `ddd_session_id`. */
  ddd: string
  serverTransactionId: string
}

/** Inserts a new authentication of the session, whose method may run at `methodUrl`. */
export async function recordAuthentication(
  { app }: Services,
  session: { businessId: string; id: string },
  methodUrl: string | null,
): Promise<RecordedAuthentication> {
  const [id, serverTransactionId] = [newId(), newId()]
  const now = app.services.clock.now()
  await insertAuthentication(app.services.db, {
    businessId: session.businessId,
    id,
    sessionId: session.id,
    source: 'new_card',
    cardFingerprint: Buffer.alloc(32),
    storedCardId: null,
    amount: 2_550 as Cents,
    currency: 'USD',
    createdAt: now,
    expiresAt: expiryOf(now),
  })
  await recordLookup(
    app.services.db,
    { businessId: session.businessId, id },
    { serverTransactionId, messageVersion: '2.2.0', methodUrl, sealedCard: Buffer.alloc(1), now },
  )
  return { id, ddd: dddSessionId({ id }), serverTransactionId }
}

/** Inserts a new authentication with a challenge that began now. */
export async function recordChallenge(
  services: Services,
  session: { businessId: string; id: string },
  challengeUrl: string,
): Promise<RecordedAuthentication> {
  const made = await recordAuthentication(services, session, null)
  await changeAuthentication(services, made, {
    state: 'CHALLENGE',
    challenge_url: challengeUrl,
    acs_transaction_id: newId(),
    challenge_window: '01',
    challenged_at: services.app.services.clock.now(),
  })
  return made
}

export async function changeAuthentication(
  { app }: Services,
  { id }: Pick<RecordedAuthentication, 'id'>,
  columns: Updateable<AuthenticationTable>,
): Promise<void> {
  await app.services.db.updateTable('authentication').set(columns).where('id', '=', id).execute()
}

export function authenticationRow({ app }: Services, { id }: Pick<RecordedAuthentication, 'id'>) {
  return app.services.db.selectFrom('authentication').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
