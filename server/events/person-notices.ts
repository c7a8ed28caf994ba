import type { Role } from '../../contract/permissions.ts'
import type { NotifyPerson } from '../access/people/person-notice.ts'
import { findPerson, findPersonByEmail, membershipsOf } from '../access/people/person-queries.ts'
import { type Business, businessNow } from '../businesses/business.ts'
import type { Tx } from '../db/transaction.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import type { Keyring } from '../lib/keyring.ts'
import { type LetterLimit, noLetterLimit } from './letter-limit.ts'
import { newNotification, sealCode } from './notification.ts'
import { recordNotification } from './notification-queries.ts'

interface NoticeServices {
  clock: Clock
  keyring: Keyring
}

/**
 * Sends e-mails to people about their accounts, in the name of the business that they have belonged to for longest
 * (LTR-9).
 *
 * @param letterLimit limit for e-mails that somebody who is not signed in can cause repeatedly; absent for commands
 */
export function personNotices({
  clock,
  keyring,
  letterLimit = noLetterLimit,
}: NoticeServices & { letterLimit?: LetterLimit }): NotifyPerson {
  return async (tx, userId, notice) => {
    const person = await findPerson(tx, userId)
    const [membership] = await membershipsOf(tx, userId)
    if (!person || !membership) return
    const { id: businessId } = membership.business
    const createdAt = businessNow(clock, membership.business)
    const to = { email: person.email, locale: person.locale }
    const fact = { businessId, id: newId(), createdAt }
    if (notice.kind === 'account_changed') {
      const { change, passkey = null } = notice
      if (change === 'passkey_copied' && !(await letterLimit.admits(tx, { businessId: null, recipient: to.email })))
        return
      const data = { ...to, change, passkey }
      await recordNotification(tx, newNotification({ ...fact, type: 'person.account_changed', data }))
    } else if (notice.kind === 'password_reset') {
      const data = { ...to, sealed_code: sealCode(keyring, fact, notice.code) }
      await recordNotification(tx, newNotification({ ...fact, type: 'person.password_reset', data }))
    } else {
      const data = { ...to, by: notice.by, due_at: notice.dueAt?.toISOString() ?? null }
      await recordNotification(tx, newNotification({ ...fact, type: 'person.factors_reset', data }))
    }
  }
}

export interface Invited {
  business: Business
  email: string
  /** Name of the person who invites. */
  inviter: string
  role: Role
  /** Code of the link. */
  code: string
  expiresAt: Date
}

/** Records the e-mail of an invitation, in the invitation's transaction (LTR-9). @throws ApiError `rate_limited` */
export async function notifyInvited(
  { clock, keyring, letterLimit }: NoticeServices & { letterLimit: LetterLimit },
  tx: Tx,
  { business, expiresAt, code, ...invited }: Invited,
): Promise<void> {
  await letterLimit.require(tx, { businessId: business.id, recipient: invited.email })
  const known = await findPersonByEmail(tx, invited.email)
  const fact = { businessId: business.id, id: newId(), createdAt: businessNow(clock, business) }
  const shown = { ...invited, locale: known?.locale ?? null, expires_at: expiresAt.toISOString() }
  const data = { ...shown, sealed_code: sealCode(keyring, fact, code) }
  await recordNotification(tx, newNotification({ ...fact, type: 'person.invited', data }))
}
