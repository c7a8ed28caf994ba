import type { EntryApi } from '../../../contract/dashboard/entry-api.ts'
import { factorsOf, hasSecondFactor } from '../../access/factors/factor-queries.ts'
import { listPasskeys, type Passkey } from '../../access/factors/passkey-queries.ts'
import { findPerson } from '../../access/people/person-queries.ts'
import { type ListedSession, listSessionsOf } from '../../access/sessions/live-session-queries.ts'
import type { Session } from '../../access/sessions/session.ts'
import type { Db } from '../../db/connection.ts'
import { type Clock, epochSeconds } from '../../lib/clock.ts'

type Account = EntryApi['GET /dashboard/auth/account']['response']

/** Returns what a person sees of their own account. */
export async function accountObject(
  { db, clock }: { db: Db; clock: Clock },
  { id, userId, email, name }: Session,
): Promise<Account> {
  const [person, factors, passkeys, sessions] = await Promise.all([
    findPerson(db, userId),
    factorsOf(db, userId),
    listPasskeys(db, userId),
    listSessionsOf(db, userId, clock.now()),
  ])
  return {
    object: 'account',
    email,
    name: person?.name ?? name,
    locale: person?.locale ?? null,
    password_changed_at: person?.passwordChangedAt ? epochSeconds(person.passwordChangedAt) : null,
    totp: factors.hasTotp,
    recovery_codes_left: hasSecondFactor(factors) ? factors.recoveryCodesLeft : null,
    passkeys: passkeys.map(passkeyObject),
    sessions: sessions.map((session) => sessionObject(session, id)),
  }
}

export const passkeyObject = ({ id, name, isSynced, createdAt, lastUsedAt }: Passkey): Account['passkeys'][number] => ({
  object: 'passkey',
  id,
  name,
  is_synced: isSynced,
  created_at: epochSeconds(createdAt),
  last_used_at: lastUsedAt && epochSeconds(lastUsedAt),
})

const sessionObject = (session: ListedSession, currentId: string): Account['sessions'][number] => ({
  object: 'session',
  id: session.id,
  user_agent: session.userAgent,
  ip: session.ip,
  proof: session.proof,
  created_at: epochSeconds(session.createdAt),
  last_seen_at: epochSeconds(session.lastSeenAt),
  is_current: session.id === currentId,
})
