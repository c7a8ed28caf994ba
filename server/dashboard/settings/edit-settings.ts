import type { Static, TSchema } from 'typebox'
import type { LettersChange, Settings, SettingsChange } from '../../../contract/dashboard/settings-api.ts'
import type { SwitchableLetter } from '../../../contract/letters.ts'
import { changesBetween } from '../../audit/changes.ts'
import { findBusiness, lockBusiness } from '../../businesses/business-queries.ts'
import { changeSettings, type Settings as StoredSettings } from '../../businesses/change-settings.ts'
import type { StoredLetterSettings } from '../../businesses/letter-settings.ts'
import { findStoredLetterSettings } from '../../businesses/letter-settings-queries.ts'
import { settingsMembers, surchargeBasisPoints, taxRatePpm } from '../../businesses/settings-object.ts'
import { findTerminals } from '../../businesses/terminal-queries.ts'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import type { Cents } from '../../lib/money.ts'
import type { AuditedObject } from '../defined-routes.ts'
import { requireVersion } from '../version.ts'
import { type SettingsSurroundings, settingsView } from './settings-view.ts'

export type SettingsEdit = Parameters<typeof changeSettings>[2]

export async function readSettings(db: Db, businessId: string, around: SettingsSurroundings): Promise<Settings> {
  return settingsView(await load(db, businessId), around)
}

/**
 * Changes settings that are still as the person saw them.
 *
 * @throws ApiError `conflict`, `validation_failed` naming the field
 */
export async function editSettings(
  tx: Tx,
  { businessId, version, edit }: { businessId: string; version: string; edit: SettingsEdit },
  around: SettingsSurroundings,
): Promise<{ body: Settings; audit: AuditedObject }> {
  await lockBusiness(tx, businessId)
  const old = await load(tx, businessId)
  requireVersion(version, settingsView(old, around))
  requireThreeDsServer(edit, { isEnabled: old.business.threeDsEnabled, around })
  const { business, letters } = await changeSettings(tx, businessId, edit)
  await around.googlePay.prepare(tx, business)
  const change = changesBetween(settingsMembers(old.business, old.letters), settingsMembers(business, letters))
  return {
    body: settingsView({ ...old, business, letters }, around),
    audit: { object: { type: 'business', id: businessId }, ...change },
  }
}

/** Requires a 3-D Secure server for 3-D Secure: without one, every payment of the business would be refused. */
function requireThreeDsServer(
  { settings }: SettingsEdit,
  { isEnabled, around }: { isEnabled: boolean; around: SettingsSurroundings },
): void {
  if (settings.threeDsEnabled !== true || isEnabled || around.threeDsServer !== null) return
  throw invalidField('three_ds_enabled', 'needs a 3-D Secure server; the operator sets THREE_DS_SERVER_URL')
}

async function load(db: Db, businessId: string) {
  const business = await findBusiness(db, businessId)
  if (!business) throw new ApiError('not_found', { message: 'No such business' })
  const letters = await findStoredLetterSettings(db, businessId)
  return { business, letters, terminals: await findTerminals(db, [businessId]) }
}

type Sent<Change extends TSchema> = Omit<Static<Change>, 'version'>

/** Converts members of the API to those of the use case; absent ones stay absent. */
export function settingsEditFrom(sent: Sent<typeof SettingsChange>): SettingsEdit {
  const settings = given<Partial<StoredSettings>>({
    name: sent.name?.trim(),
    country: sent.country,
    province: sent.province,
    timeZone: sent.time_zone,
    locale: sent.locale,
    supportEmail: sent.support_email,
    supportPhone: sent.support_phone,
    termsUrl: sent.terms_url,
    privacyUrl: sent.privacy_url,
    surchargeRateBp: sent.surcharge_rate === undefined ? undefined : surchargeBasisPoints(sent.surcharge_rate),
    defaultTaxRatePpm: sent.default_tax_rate === undefined ? undefined : taxRatePpm(sent.default_tax_rate),
    surchargeRounding: sent.surcharge_rounding,
    cvvPolicy: sent.cvv_policy,
    avsPolicy: sent.avs_policy,
    savedCardCvvRequired: sent.saved_card_cvv_required,
    threeDsEnabled: sent.three_ds_enabled,
    threeDsAbove: sent.three_ds_above as Cents | null | undefined,
    googlePayEnabled: sent.google_pay_enabled,
    googlePayMerchantId: trimmed(sent.google_pay_merchant_id),
    googlePayCryptogramOnly: sent.google_pay_cryptogram_only,
    firstCharge: sent.first_charge,
    afterLastRetry: sent.after_last_retry,
    billingRunLocalTime: sent.billing_run_local_time,
    missedDatesMax: sent.missed_dates_max,
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
    // `checkLetterSettings` compares them with the existing letters.
    lettersOff: sent.letters_off as SwitchableLetter[] | undefined,
    renewalNoticeDays: sent.renewal_notice_days === 0 ? null : sent.renewal_notice_days,
  })
  return { settings: {}, letters }
}

type Undefinable<Members> = { [Name in keyof Members]: Members[Name] | undefined }

/** Returns the members without those that were not sent. */
export function given<Members extends object>(members: Undefinable<Members>): Members {
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
