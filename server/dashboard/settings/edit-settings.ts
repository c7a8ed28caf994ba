import type { Static, TSchema } from 'typebox'
import type { LettersChange, Settings, SettingsChange } from '../../../contract/dashboard/settings-api.ts'
import { changesBetween } from '../../audit/changes.ts'
import { findBusiness, lockBusiness } from '../../businesses/business-queries.ts'
import { changeSettings, type Settings as StoredSettings } from '../../businesses/change-settings.ts'
import type { StoredLetterSettings, SwitchableLetter } from '../../businesses/letter-settings.ts'
import { findStoredLetterSettings } from '../../businesses/letter-settings-queries.ts'
import { settingsMembers, surchargeBasisPoints } from '../../businesses/settings-object.ts'
import { findTerminals } from '../../businesses/terminal-queries.ts'
import type { Links } from '../../checkout/sessions/session-view.ts'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import { ApiError } from '../../lib/errors.ts'
import type { AuditedObject } from '../defined-routes.ts'
import { requireVersion } from '../version.ts'
import { settingsView } from './settings-view.ts'

export type SettingsEdit = Parameters<typeof changeSettings>[2]

export async function readSettings(db: Db, businessId: string, links: Links): Promise<Settings> {
  return settingsView(await load(db, businessId), links)
}

/**
 * Changes settings that the person has seen as they are.
 *
 * @throws ApiError `conflict`, `validation_failed` naming the field
 */
export async function editSettings(
  tx: Tx,
  { businessId, version, edit }: { businessId: string; version: string; edit: SettingsEdit },
  links: Links,
): Promise<{ body: Settings; audit: AuditedObject }> {
  await lockBusiness(tx, businessId)
  const old = await load(tx, businessId)
  requireVersion(version, settingsView(old, links))
  const { business, letters } = await changeSettings(tx, businessId, edit)
  const change = changesBetween(settingsMembers(old.business, old.letters), settingsMembers(business, letters))
  return {
    body: settingsView({ ...old, business, letters }, links),
    audit: { object: { type: 'business', id: businessId }, ...change },
  }
}

async function load(db: Db, businessId: string) {
  const business = await findBusiness(db, businessId)
  if (!business) throw new ApiError('not_found', { message: 'No such business' })
  const letters = await findStoredLetterSettings(db, businessId)
  return { business, letters, terminals: await findTerminals(db, [businessId]) }
}

type Sent<Change extends TSchema> = Omit<Static<Change>, 'version'>

/** Members of the API as those of the use case; absent ones stay absent. */
export function settingsEditFrom(sent: Sent<typeof SettingsChange>): SettingsEdit {
  const settings = given<Partial<StoredSettings>>({
    name: sent.name?.trim(),
    province: sent.province,
    timeZone: sent.time_zone,
    locale: sent.locale,
    supportEmail: sent.support_email,
    supportPhone: sent.support_phone,
    termsUrl: sent.terms_url,
    privacyUrl: sent.privacy_url,
    surchargeRateBp: sent.surcharge_rate === undefined ? undefined : surchargeBasisPoints(sent.surcharge_rate),
    surchargeRounding: sent.surcharge_rounding,
    firstCharge: sent.first_charge,
    afterLastRetry: sent.after_last_retry,
    batchCloseTime: sent.batch_close_time,
  })
  const letters = given<Partial<StoredLetterSettings>>({
    legalName: trimmed(sent.legal_name),
    postalAddress: trimmedLines(sent.postal_address),
    taxRegistrations: trimmedLines(sent.tax_registrations),
  })
  return { settings, letters }
}

export function lettersEditFrom(sent: Sent<typeof LettersChange>): SettingsEdit {
  const letters = given<Partial<StoredLetterSettings>>({
    senderName: trimmed(sent.sender_name),
    replyTo: sent.reply_to,
    notifiedEmails: sent.notified_emails,
    // `checkLetterSettings` compares them with the letters that there are.
    lettersOff: sent.letters_off as SwitchableLetter[] | undefined,
    renewalNoticeDays: sent.renewal_notice_days === 0 ? null : sent.renewal_notice_days,
  })
  return { settings: {}, letters }
}

type Undefinable<Members> = { [Name in keyof Members]: Members[Name] | undefined }

function given<Members extends object>(members: Undefinable<Members>): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members
}

const trimmed = (text: string | null | undefined) => (text === undefined ? undefined : text?.trim() || null)

function trimmedLines(text: string | null | undefined): string | null | undefined {
  const lines = text
    ?.trim()
    .split(/\r?\n/)
    .map((line) => line.trim())
  return text === undefined ? undefined : lines?.join('\n') || null
}
