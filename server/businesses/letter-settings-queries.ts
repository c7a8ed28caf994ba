import { sql } from 'kysely'
import type { SwitchableLetter } from '../../contract/letters.ts'
import type { Db } from '../db/connection.ts'
import type { Tx } from '../db/transaction.ts'
import type { Business } from './business.ts'
import { BUSINESS_COLUMNS, businessFrom } from './business-queries.ts'
import { type LetterSettings, type StoredLetterSettings, settingsInEffect } from './letter-settings.ts'

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

/** Addresses of the owners, who get the letters to a business that names no address. Oldest membership first. */
const OWNERS = sql<string[]>`array(
  select person.email from business_member member join auth_user person on person.id = member.user_id
  where member.business_id = business.id and member.role = 'owner' order by member.created_at, person.id
)`.as('ownerEmails')

/** @throws if the business does not exist */
export async function findLetterSettings(db: Db, businessId: string): Promise<LetterSettings> {
  const { name, supportEmail, ownerEmails, ...stored } = await db
    .selectFrom('business')
    .select([...COLUMNS, 'name', 'support_email as supportEmail'])
    .select(OWNERS)
    .where('id', '=', businessId)
    .executeTakeFirstOrThrow()
  return settingsInEffect(settingsFrom(stored), { name, supportEmail, ownerEmails })
}

/** Finds a business with the settings in effect; `null` if it does not exist. */
export async function findBusinessWithLetterSettings(
  db: Db,
  businessId: string,
): Promise<{ business: Business; settings: LetterSettings } | null> {
  const row = await db
    .selectFrom('business')
    .select([...BUSINESS_COLUMNS, ...COLUMNS])
    .select(OWNERS)
    .where('id', '=', businessId)
    .executeTakeFirst()
  if (!row) return null
  const business = businessFrom(row)
  const { senderName, replyTo, notifiedEmails, lettersOff, renewalNoticeDays } = row
  const { legalName, postalAddress, taxRegistrations } = row
  const stored = { senderName, replyTo, notifiedEmails, lettersOff, renewalNoticeDays }
  const settings = settingsFrom({ ...stored, legalName, postalAddress, taxRegistrations })
  return { business, settings: settingsInEffect(settings, { ...business, ownerEmails: row.ownerEmails }) }
}

/**
 * Finds the settings as they are stored.
 *
 * @throws if the business does not exist
 */
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
