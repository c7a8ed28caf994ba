import type { Role } from '../../../contract/permissions.ts'
import type { AccountChange } from '../../access/people/person-notice.ts'
import type { LetterContent } from './letter-view.ts'
import type { LetterWords } from './letter-words.ts'

// LTR-9.

const PLAIN = { amount: null, rows: [], notes: [], button: null }

export function passwordReset({ say }: LetterWords, { email, url }: { email: string; url: string }): LetterContent {
  return {
    ...PLAIN,
    subject: say('reset_subject'),
    preheader: say('reset_preheader'),
    heading: say('reset_heading'),
    paragraphs: [say('reset_body', { email }), say('reset_next')],
    button: { label: say('reset_button'), url },
    notes: [say('reset_ignore')],
  }
}

const ROLE_KEYS = {
  owner: 'role_owner',
  admin: 'role_admin',
  developer: 'role_developer',
  support: 'role_support',
  analyst: 'role_analyst',
} as const satisfies Record<Role, string>

export function invitation(
  { say, row, date }: LetterWords,
  { inviter, role, url, expiresAt }: { inviter: string; role: Role; url: string; expiresAt: Date },
): LetterContent {
  return {
    ...PLAIN,
    subject: say('invite_subject', { inviter }),
    preheader: say('invite_preheader', { date: date(expiresAt) }),
    heading: say('invite_heading'),
    paragraphs: [say('invite_body', { inviter })],
    rows: [...row('role', say(ROLE_KEYS[role])), ...row('valid_until', date(expiresAt))],
    button: { label: say('invite_button'), url },
    notes: [say('link_is_yours')],
  }
}

/** @param dueAt when the reset takes effect; `null` if it already has */
export function factorsReset(
  { say, date }: LetterWords,
  { email, by, dueAt, url }: { email: string; by: string | null; dueAt: Date | null; url: string },
): LetterContent {
  const who = by ?? say('operator')
  const when = dueAt ? { date: date(dueAt) } : {}
  return {
    ...PLAIN,
    subject: dueAt ? say('factors_later_subject', when) : say('factors_subject'),
    preheader: say('account_preheader', { email }),
    heading: dueAt ? say('factors_later_heading') : say('factors_heading'),
    paragraphs: dueAt
      ? [say('factors_later_body', { ...when, who, email }), say('factors_later_next')]
      : [say('factors_body', { who, email }), say('factors_next')],
    button: { label: say('account_sign_in'), url },
    notes: [say('account_not_you')],
  }
}

const CHANGE_KEYS = {
  password_changed: 'changed_password',
  totp_added: 'changed_totp_added',
  totp_removed: 'changed_totp_removed',
  passkey_added: 'changed_passkey_added',
  passkey_removed: 'changed_passkey_removed',
  recovery_codes_renewed: 'changed_recovery_codes',
  passkey_copied: 'copied_body',
} as const satisfies Record<AccountChange, string>

interface Changed {
  email: string
  change: AccountChange
  /** Name of a passkey that may have been copied; otherwise `null`. */
  passkey: string | null
  at: Date
  url: string
}

export function accountChanged(
  { say, row, date }: LetterWords,
  { email, change, passkey, at, url }: Changed,
): LetterContent {
  const isCopied = change === 'passkey_copied'
  return {
    ...PLAIN,
    subject: say(isCopied ? 'copied_subject' : 'changed_subject'),
    preheader: say('account_preheader', { email }),
    heading: say(isCopied ? 'copied_subject' : 'changed_heading'),
    paragraphs: [say(CHANGE_KEYS[change], { passkey: passkey ?? '' }), ...(isCopied ? [say('copied_next')] : [])],
    rows: [...row('email', email), ...row('date', date(at))],
    button: { label: say('changed_button'), url },
    notes: [say('account_not_you')],
  }
}
