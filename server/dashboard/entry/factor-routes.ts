import Type from 'typebox'
import { NewPasskey, PasskeyName, StepUp, StepUpReason, TotpProof } from '../../../contract/dashboard/entry-api.ts'
import type { FactorChange } from '../../access/factors/change-factors.ts'
import { addPasskey, namePasskey, removePasskey } from '../../access/factors/change-passkeys.ts'
import { beginTotp, finishTotp, removeTotp, renewRecoveryCodes } from '../../access/factors/change-totp.ts'
import { factorsOf, hasSecondFactor } from '../../access/factors/factor-queries.ts'
import { authenticationOptions, registrationOptions } from '../../access/factors/passkeys.ts'
import { requireStepUp, type SessionContext } from '../../access/sessions/member-access.ts'
import { type Session, STEP_UP_SECONDS } from '../../access/sessions/session.ts'
import { stepUp } from '../../access/sign-in/step-up.ts'
import type { Route } from '../../http/route.ts'
import { addSeconds, epochSeconds } from '../../lib/clock.ts'
import { passkeyObject } from './account-object.ts'
import type { PersonRoutes } from './person-routes.ts'
import { passkeyOptions } from './sign-in-routes.ts'

const Nothing = Type.Object({})
const REASON = 'factors'

/** Returns the routes for proving again who one is, and for one's own factors. */
export function factorRoutes(routes: PersonRoutes, context: SessionContext): Route[] {
  return [...stepUpRoutes(routes, context), ...totpRoutes(routes, context), ...passkeyRoutes(routes, context)]
}

function stepUpRoutes({ person }: PersonRoutes, context: SessionContext): Route[] {
  const limiter = context.makeRateLimiter({ name: 'step-up', points: 5, seconds: 900 })
  return [
    person('POST /dashboard/auth/step-up/options', {
      mayLackFactor: true,
      body: StepUpReason,
      async handle({ caller: { session }, body }) {
        const of = { sessionId: session.id, userId: session.userId, reason: body.reason }
        return { body: passkeyOptions(await authenticationOptions(context, of)) }
      },
    }),
    person('POST /dashboard/api/step-up', {
      mayLackFactor: true,
      body: StepUp,
      limits: [{ limiter, key: (_request, { session }) => session.userId }],
      async handle({ caller, body }) {
        const until = await stepUp(context, caller, body)
        return { body: { object: 'step_up', stepped_up_until: epochSeconds(until) } }
      },
    }),
  ]
}

function totpRoutes(routes: PersonRoutes, context: SessionContext): Route[] {
  const { person } = routes
  return [
    person('POST /dashboard/auth/totp', {
      mayLackFactor: true,
      body: Nothing,
      async handle({ caller }) {
        await requireProof(context, caller.session)
        return { body: { object: 'totp_set_up', ...(await beginTotp(context, caller)) } }
      },
    }),
    person('POST /dashboard/auth/totp/verify', {
      mayLackFactor: true,
      body: TotpProof,
      handle: async ({ caller, body }) => factorChange(routes, await finishTotp(context, caller, body)),
    }),
    person('DELETE /dashboard/auth/totp', {
      async handle({ caller }) {
        await requireProof(context, caller.session)
        return factorChange(routes, await removeTotp(context, caller))
      },
    }),
    person('POST /dashboard/auth/recovery-codes', {
      body: Nothing,
      async handle({ caller }) {
        await requireProof(context, caller.session)
        return factorChange(routes, await renewRecoveryCodes(context, caller))
      },
    }),
  ]
}

function passkeyRoutes(routes: PersonRoutes, context: SessionContext): Route[] {
  const { person } = routes
  return [
    person('POST /dashboard/auth/passkeys/options', {
      mayLackFactor: true,
      body: Nothing,
      async handle({ caller: { session } }) {
        await requireProof(context, session)
        const { userId: id, email, name } = session
        const options = await registrationOptions(context, { sessionId: session.id, user: { id, email, name } })
        return { body: passkeyOptions(options) }
      },
    }),
    person('POST /dashboard/auth/passkeys', {
      mayLackFactor: true,
      body: NewPasskey,
      handle: async ({ caller, body }) => factorChange(routes, await addPasskey(context, caller, body)),
    }),
    person('PATCH /dashboard/auth/passkeys/{id}', {
      body: PasskeyName,
      async handle({ caller, params, body }) {
        const passkey = await namePasskey(context, caller, { id: params.id ?? '', name: body.name })
        return { body: passkeyObject(passkey) }
      },
    }),
    person('DELETE /dashboard/auth/passkeys/{id}', {
      async handle({ caller, params }) {
        await requireProof(context, caller.session)
        return factorChange(routes, await removePasskey(context, caller, params.id ?? ''))
      },
    }),
  ]
}

/**
 * Requires step-up for a change of factors. The first factor needs none within five minutes of sign-in, which was the
 * same proof.
 *
 * @throws ApiError `step_up_required`
 */
async function requireProof({ db, clock }: SessionContext, session: Session): Promise<void> {
  const now = clock.now()
  const isNew = session.createdAt > addSeconds(now, -STEP_UP_SECONDS)
  if (isNew && !hasSecondFactor(await factorsOf(db, session.userId))) return
  requireStepUp({ session }, now, REASON)
}

function factorChange(routes: PersonRoutes, { session, recoveryCodes }: FactorChange) {
  const { headers, csrf } = routes.withSession(session)
  return {
    headers,
    body: { object: 'factor_change' as const, csrf_token: csrf, recovery_codes: recoveryCodes },
  }
}
