import type { Tx } from '../../db/transaction.ts'

/** What a person is told of their account, whoever did it. */
export type AccountChange =
  | 'password_changed'
  | 'totp_added'
  | 'totp_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_codes_renewed'
  /** Nothing changed: somebody who has a copy of it was refused. */
  | 'passkey_copied'

/** A letter to a person about their account. `code` is that of the link in it. */
export type PersonNotice =
  /** `passkey`: the name of the one that may have been copied. */
  | { kind: 'account_changed'; change: AccountChange; passkey?: string }
  | { kind: 'password_reset'; code: string }
  /** `by`: who asked for it; `null`: the operator. `dueAt`: when it takes effect; `null`: it has. */
  | { kind: 'factors_reset'; by: string | null; dueAt: Date | null }

/**
 * Records the letter in the transaction of its fact (LTR-10). Who belongs to no business gets none. Plugged in by
 * server/app.
 */
export type NotifyPerson = (tx: Tx, userId: string, notice: PersonNotice) => Promise<void>
