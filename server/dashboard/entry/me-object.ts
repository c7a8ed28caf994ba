import type { EntryApi } from '../../../contract/dashboard/entry-api.ts'
import { may, PERMISSIONS } from '../../../contract/permissions.ts'
import { factorsOf, hasSecondFactor } from '../../access/factors/factor-queries.ts'
import { findPerson, isWithoutMembers, membershipsOf } from '../../access/people/person-queries.ts'
import type { SessionContext } from '../../access/sessions/member-access.ts'
import { IDLE_SECONDS, type Session, STEP_UP_SECONDS } from '../../access/sessions/session.ts'
import { csrfToken } from '../../access/sessions/session-cookie.ts'
import { stepUpMethods } from '../../access/sign-in/step-up.ts'
import { addSeconds, epochSeconds } from '../../lib/clock.ts'

/** Returns who is signed in, and their businesses with their rights in each. */
export async function meObject(
  { db, keyring, environment }: SessionContext,
  session: Session,
): Promise<EntryApi['GET /dashboard/api/me']['response']> {
  const { id, userId, email, name, expiresAt, steppedUpAt, proof } = session
  const [person, factors, memberships] = await Promise.all([
    findPerson(db, userId),
    factorsOf(db, userId),
    membershipsOf(db, userId),
  ])
  return {
    object: 'me',
    user: {
      id: userId,
      email,
      name,
      locale: person?.locale ?? null,
      second_factor: hasSecondFactor(factors),
      totp: factors.hasTotp,
      step_up_methods: stepUpMethods(factors),
    },
    session: {
      id,
      expires_at: epochSeconds(expiresAt),
      idle_seconds: IDLE_SECONDS,
      stepped_up_until: steppedUpAt && epochSeconds(addSeconds(steppedUpAt, STEP_UP_SECONDS)),
    },
    csrf_token: csrfToken(keyring, id),
    environment,
    must_add_second_factor: environment === 'production' && proof === 'password',
    may_create_business: memberships.length === 0 && (await isWithoutMembers(db)),
    businesses: memberships.map(({ business, role }) => ({
      id: business.id,
      name: business.name,
      role,
      currency: business.currency,
      country: business.country,
      time_zone: business.timeZone,
      clock_offset_seconds: business.clockOffsetSeconds,
      permissions: PERMISSIONS.filter((permission) => may(role, permission, environment)),
    })),
  }
}
