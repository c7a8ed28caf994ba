import { type NotificationData, openCode } from '../../events/notification.ts'
import { LETTER_LINK } from '../letter-link.ts'
import { accountChanged, factorsReset, invitation, passwordReset } from '../templates/person-letters.ts'
import type { FactContext, LetterDraft } from './letter-draft.ts'

// LTR-9: letters to the people of a business, in their own language.

const shared = { customerId: null, objectId: null } as const

export async function draftPasswordReset({ notification, sources, keyring }: FactContext): Promise<LetterDraft[]> {
  const { sealed_code: sealed, ...person } = notification.data as NotificationData['person.password_reset']
  const url = sources.dashboardLink('reset', openCode(keyring, notification, sealed))
  return [
    {
      ...shared,
      kind: 'password_reset',
      person,
      link: { url },
      write: (words) => passwordReset(words, { email: person.email, url: LETTER_LINK }),
    },
  ]
}

export async function draftInvitation({ notification, sources, keyring }: FactContext): Promise<LetterDraft[]> {
  const { email, locale, sealed_code, inviter, role, expires_at } =
    notification.data as NotificationData['person.invited']
  const url = sources.dashboardLink('welcome', openCode(keyring, notification, sealed_code))
  const given = { inviter, role, url: LETTER_LINK, expiresAt: new Date(expires_at) }
  return [
    {
      ...shared,
      kind: 'invitation',
      person: { email, locale },
      link: { url },
      write: (words) => invitation(words, given),
    },
  ]
}

export async function draftFactorsReset({ notification, sources }: FactContext): Promise<LetterDraft[]> {
  const { email, locale, by, due_at } = notification.data as NotificationData['person.factors_reset']
  const given = { email, by, dueAt: due_at === null ? null : new Date(due_at), url: sources.dashboardLink('sign-in') }
  return [{ ...shared, kind: 'factors_reset', person: { email, locale }, write: (words) => factorsReset(words, given) }]
}

export async function draftAccountChanged({ notification, sources }: FactContext): Promise<LetterDraft[]> {
  const { change, passkey, ...person } = notification.data as NotificationData['person.account_changed']
  const given = {
    email: person.email,
    change,
    passkey,
    at: notification.createdAt,
    url: sources.dashboardLink('account'),
  }
  return [{ ...shared, kind: 'account_changed', person, write: (words) => accountChanged(words, given) }]
}
