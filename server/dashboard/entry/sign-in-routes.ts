import type { FastifyBaseLogger } from 'fastify'
import Type from 'typebox'
import type { EntryApi } from '../../../contract/dashboard/entry-api.ts'
import {
  FirstBusiness,
  FirstOwner,
  Link,
  PasskeyProof,
  PasswordForgotten,
  PasswordReset,
  PasswordSignIn,
  SecondFactor,
} from '../../../contract/dashboard/entry-api.ts'
import { authenticationOptions } from '../../access/factors/passkeys.ts'
import { endOwnSession } from '../../access/sessions/end-session.ts'
import type { SessionContext } from '../../access/sessions/member-access.ts'
import { resetPassword, sendPasswordReset } from '../../access/sign-in/password-reset.ts'
import { createFirstBusiness, createFirstOwner, lookAtLink, signInByLink } from '../../access/sign-in/set-up.ts'
import {
  type SignInContext,
  type SignInResult,
  signInByPasskey,
  signInByPassword,
  signInBySecondFactor,
} from '../../access/sign-in/sign-in.ts'
import type { RateLimit } from '../../http/rate-limit.ts'
import type { Route } from '../../http/route.ts'
import type { PersonRoutes } from './person-routes.ts'

/** How often one address may ask for a password link. */
const LETTER_LIMIT: RateLimit = { name: 'password reset', points: 5, seconds: 3_600 }

export type EntryContext = SessionContext & { log: FastifyBaseLogger }

const Nothing = Type.Object({})

type SignIn = EntryApi['POST /dashboard/auth/sign-in']['response']

/** Returns the routes for signing in and out, and for the links of the first start. */
export function signInRoutes(routes: PersonRoutes, context: EntryContext): Route[] {
  const { person, stranger } = routes
  return [
    stranger('POST /dashboard/auth/sign-in', {
      body: PasswordSignIn,
      handle: async ({ body }, from) => signInReply(routes, await signInByPassword(context, body, from)),
    }),
    stranger('POST /dashboard/auth/second-factor', {
      body: SecondFactor,
      handle: async ({ body }, from) => signInReply(routes, await signInBySecondFactor(context, body, from)),
    }),
    stranger('POST /dashboard/auth/passkey/options', {
      body: Nothing,
      handle: async () => ({ body: passkeyOptions(await authenticationOptions(context, null)) }),
    }),
    stranger('POST /dashboard/auth/passkey', {
      body: PasskeyProof,
      handle: async ({ body }, from) => signInReply(routes, await signInByPasskey(context, body.credential, from)),
    }),
    person('POST /dashboard/auth/sign-out', {
      mayLackFactor: true,
      body: Nothing,
      async handle({ caller }) {
        await endOwnSession(context, caller, caller.session.id)
        return { ...routes.withoutSession(), body: { object: 'done' } }
      },
    }),
    ...passwordRoutes(routes, context),
    ...setUpRoutes(routes, context),
  ]
}

function passwordRoutes({ stranger }: PersonRoutes, context: EntryContext): Route[] {
  const letters = context.makeRateLimiter(LETTER_LIMIT)
  return [
    stranger('POST /dashboard/auth/password/forgotten', {
      body: PasswordForgotten,
      async handle({ body: { email } }) {
        // The work runs after the response, so that the response time does not reveal whether the address is known.
        const work = async () => {
          await letters.consume(email.trim().toLowerCase())
          await sendPasswordReset(context, email)
        }
        work().catch((error: unknown) => context.log.warn({ err: error }, 'a link for a new password was not sent'))
        return { body: { object: 'done' } }
      },
    }),
    stranger('POST /dashboard/auth/password/reset', {
      body: PasswordReset,
      async handle({ body }, from) {
        await resetPassword(context, body, from)
        return { body: { object: 'done' } }
      },
    }),
  ]
}

function setUpRoutes(routes: PersonRoutes, context: SignInContext): Route[] {
  const { person, stranger } = routes
  return [
    stranger('POST /dashboard/auth/set-up/look', {
      body: Link,
      handle: async ({ body }) => ({ body: { object: 'set_up', ...(await lookAtLink(context, body.code)) } }),
    }),
    stranger('POST /dashboard/auth/set-up/sign-in', {
      body: Link,
      handle: async ({ body }, from) => signInReply(routes, await signInByLink(context, body.code, from)),
    }),
    stranger('POST /dashboard/auth/set-up', {
      body: FirstOwner,
      handle: async ({ body }, from) => signInReply(routes, await createFirstOwner(context, body, from)),
    }),
    person('POST /dashboard/auth/set-up/business', {
      body: FirstBusiness,
      async handle({ caller, body }) {
        const { name, country, province, currency, time_zone: timeZone } = body
        const wanted = { name, country: country as 'US' | 'CA', province, currency, timeZone }
        return { status: 201, body: { object: 'business', id: await createFirstBusiness(context, caller, wanted) } }
      },
    }),
  ]
}

/** Sets the cookie if, and only if, there is a session. */
function signInReply(routes: PersonRoutes, result: SignInResult): { headers?: Record<string, string>; body: SignIn } {
  if (result.next === 'second_factor') {
    const { ticket, methods } = result
    return { body: { object: 'sign_in', next: 'second_factor', ticket, methods, csrf_token: null } }
  }
  const { headers, csrf } = routes.withSession(result.session)
  return { headers, body: { object: 'sign_in', next: 'done', ticket: null, methods: [], csrf_token: csrf } }
}

export const passkeyOptions = (options: object) => ({
  object: 'passkey_options' as const,
  options: options as Record<string, unknown>,
})
