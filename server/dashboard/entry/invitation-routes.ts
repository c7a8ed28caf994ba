import type { Static } from 'typebox'
import { type EntryApi, InvitationAcceptance, Link } from '../../../contract/dashboard/entry-api.ts'
import {
  acceptInvitation,
  declineInvitation,
  lookAtInvitation,
  type NewPerson,
} from '../../access/members/accept-invitation.ts'
import { hashPassword } from '../../access/people/password.ts'
import type { SessionContext } from '../../access/sessions/member-access.ts'
import type { NewSession } from '../../access/sessions/session.ts'
import { findSession } from '../../access/sessions/session-queries.ts'
import { type From, finishSignIn, personActor } from '../../access/sign-in/sign-in.ts'
import { recordAudit } from '../../audit/audit-queries.ts'
import { type Tx, transaction } from '../../db/transaction.ts'
import type { Route } from '../../http/route.ts'
import { epochSeconds } from '../../lib/clock.ts'
import type { PersonRoutes } from './person-routes.ts'

type Joined = EntryApi['POST /dashboard/auth/invitations/accept']['response']

/** Returns the routes for the holder of an invitation's link (DSH-13). */
export function invitationRoutes(routes: PersonRoutes, context: SessionContext): Route[] {
  const { stranger } = routes
  const { db, keyring, clock } = context
  return [
    stranger('POST /dashboard/auth/invitations/look', {
      body: Link,
      async handle({ body }) {
        const parts = { keyring, now: clock.now() }
        const found = await transaction(db, (tx) => lookAtInvitation({ tx, ...parts }, body.code))
        const { business, role, email, inviter, expiresAt, isKnown } = found
        const shown = { business, role, email, invited_by: inviter.name, is_known: isKnown }
        return { body: { object: 'invitation', ...shown, expires_at: epochSeconds(expiresAt) } }
      },
    }),
    stranger('POST /dashboard/auth/invitations/accept', {
      body: InvitationAcceptance,
      async handle({ body }, from) {
        const newPerson = await newPersonOf(body)
        const { joined, session } = await transaction(db, (tx) =>
          accept(context, tx, { code: body.code, newPerson, from }),
        )
        const signedIn = session && routes.withSession(session)
        return {
          ...(signedIn && { headers: signedIn.headers }),
          body: { ...joined, csrf_token: signedIn?.csrf ?? null },
        }
      },
    }),
    stranger('POST /dashboard/auth/invitations/decline', {
      body: Link,
      async handle({ body }, { browser, requestId }) {
        await transaction(db, async (tx) => {
          const now = clock.now()
          const { id, businessId, email } = await declineInvitation({ tx, keyring, now }, body.code)
          const actor = { kind: 'person', id: null, name: email, ...browser, requestId } as const
          const entry = { businessId, actor, action: 'invitation.decline', object: { type: 'invitation', id } } as const
          await recordAudit(tx, { ...entry, before: null, after: null, outcome: 'done' }, now)
        })
        return { body: { object: 'done' } }
      },
    }),
  ]
}

/** Hashes the password of a new person. It runs before the transaction because that takes a tenth of a second. */
async function newPersonOf({ name, password }: Static<typeof InvitationAcceptance>): Promise<NewPerson | null> {
  if (name === undefined || password === undefined) return null
  return { name, passwordHash: await hashPassword(password) }
}

/** Accepts the invitation. A new person is also signed in. */
async function accept(
  context: SessionContext,
  tx: Tx,
  { code, newPerson, from }: { code: string; newPerson: NewPerson | null; from: From },
): Promise<{ joined: Omit<Joined, 'csrf_token'>; session: NewSession | null }> {
  const { keyring, clock } = context
  const now = clock.now()
  const signedIn = from.oldToken === null ? null : await findSession(tx, from.oldToken, now)
  const { invitation, userId, isNew } = await acceptInvitation({ tx, keyring, now }, { code, signedIn, newPerson })
  const { id, businessId, role } = invitation
  const signIn = isNew ? await finishSignIn(context, tx, { userId, proof: 'password', from }) : null
  const entry = { businessId, actor: await personActor(tx, userId, from), action: 'invitation.accept' } as const
  const object = { type: 'invitation', id }
  await recordAudit(tx, { ...entry, object, before: null, after: { role }, outcome: 'done' }, now)
  return { joined: { object: 'membership', business: businessId, role }, session: signIn?.session ?? null }
}
