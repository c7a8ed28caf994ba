import type { Tx } from '../../db/transaction.ts'

/** Changes of an account that its person is told of, whoever made them. */
export type AccountChange =
  | 'password_changed'
  | 'totp_added'
  | 'totp_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_codes_renewed'
  /** Nothing changed: a person with a copy of the passkey was refused. */
  | 'passkey_copied'

/** A letter to a person about their account. `code` is the code of the link in it. */
export type PersonNotice =
  /** `passkey`: name of the passkey that may have been copied. */
  | { kind: 'account_changed'; change: AccountChange; passkey?: string }
  | { kind: 'password_reset'; code: string }
  /**
   * `by`: who asked for the reset; `null` for the operator. `dueAt`: when it takes effect; `null` if it already has.
   */
  | { kind: 'factors_reset'; by: string | null; dueAt: Date | null }

/**
 * Records the letter in the transaction of the change (LTR-10). A person without a business gets none. Provided by
 * server/app.
 */
export type NotifyPerson = (tx: Tx, userId: string, notice: PersonNotice) => Promise<void>
