import type { Db } from '../db/connection.ts'
import type { Tx } from '../db/transaction.ts'
import {
  type LetterSettings,
  type StoredLetterSettings,
  type SwitchableLetter,
  settingsInEffect,
} from './letter-settings.ts'

const COLUMNS = [
  'sender_name as senderName',
  'reply_to as replyTo',
  'notified_emails as notifiedEmails',
  'letters_off as lettersOff',
  'renewal_notice_days as renewalNoticeDays',
  'legal_name as legalName',
  'postal_address as postalAddress',
  'tax_registrations as taxRegistrations',
] as const

/** @throws when the business does not exist */
export async function findLetterSettings(db: Db, businessId: string): Promise<LetterSettings> {
  const { name, supportEmail, ...stored } = await db
    .selectFrom('business')
    .select([...COLUMNS, 'name', 'support_email as supportEmail'])
    .where('id', '=', businessId)
    .executeTakeFirstOrThrow()
  return settingsInEffect(settingsFrom(stored), { name, supportEmail })
}

/** As they are set. @throws when the business does not exist */
export async function findStoredLetterSettings(db: Db, businessId: string): Promise<StoredLetterSettings> {
  return settingsFrom(
    await db.selectFrom('business').select(COLUMNS).where('id', '=', businessId).executeTakeFirstOrThrow(),
  )
}

const settingsFrom = (row: Omit<StoredLetterSettings, 'lettersOff'> & { lettersOff: string[] }) => ({
  ...row,
  lettersOff: row.lettersOff as SwitchableLetter[],
})

export async function updateLetterSettings(tx: Tx, businessId: string, settings: StoredLetterSettings): Promise<void> {
  const { senderName, replyTo, notifiedEmails, lettersOff, renewalNoticeDays, postalAddress, taxRegistrations } =
    settings
  await tx
    .updateTable('business')
    .set({
      sender_name: senderName,
      reply_to: replyTo,
      notified_emails: [...notifiedEmails],
      letters_off: [...lettersOff],
      renewal_notice_days: renewalNoticeDays,
      legal_name: settings.legalName,
      postal_address: postalAddress,
      tax_registrations: taxRegistrations,
    })
    .where('id', '=', businessId)
    .execute()
}
