import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { FontStack } from '../../contract/page-look.ts'
import type { Db } from '../db/connection.ts'
import type { Business as BusinessTable } from '../db/tables.ts'
import type { Tx } from '../db/transaction.ts'
import type { Cents, Currency } from '../lib/money.ts'
import type { Business, ColorScheme, Country } from './business.ts'

/** Columns for queries that join the business; `businessFrom` reads them. */
export const BUSINESS_COLUMNS = [
  'business.id',
  'business.name',
  'business.currency',
  'business.country',
  'business.province',
  'business.time_zone',
  'business.locale',
  'business.surcharge_rate_bp',
  'business.default_tax_rate_ppm',
  'business.first_charge',
  'business.after_last_retry',
  'business.surcharge_rounding',
  'business.billing_run_local_time',
  'business.missed_dates_max',
  'business.batch_close_time',
  'business.cvv_policy',
  'business.avs_policy',
  'business.saved_card_cvv_required',
  'business.three_ds_enabled',
  'business.three_ds_above',
  'business.google_pay_enabled',
  'business.google_pay_merchant_id',
  'business.google_pay_cryptogram_only',
  'business.terms_url',
  'business.privacy_url',
  'business.support_email',
  'business.support_phone',
  'business.logo_hash',
  'business.brand_color',
  'business.color_scheme',
  'business.corner_radius',
  'business.font_stack',
  'business.new_cards_refused_until',
  'business.clock_offset_seconds',
] as const

/** A row of the business without what only letters and invoices need. */
export type BusinessRow = Omit<
  Selectable<BusinessTable>,
  | 'created_at'
  | 'sender_name'
  | 'reply_to'
  | 'notified_emails'
  | 'letters_off'
  | 'renewal_notice_days'
  | 'legal_name'
  | 'postal_address'
  | 'tax_registrations'
>

export function businessFrom(row: BusinessRow): Business {
  return {
    id: row.id,
    name: row.name,
    currency: row.currency as Currency,
    country: row.country as Country,
    province: row.province,
    timeZone: row.time_zone,
    locale: row.locale,
    surchargeRateBp: row.surcharge_rate_bp,
    defaultTaxRatePpm: row.default_tax_rate_ppm,
    firstCharge: row.first_charge as Business['firstCharge'],
    afterLastRetry: row.after_last_retry as Business['afterLastRetry'],
    surchargeRounding: row.surcharge_rounding as Business['surchargeRounding'],
    billingRunLocalTime: row.billing_run_local_time,
    missedDatesMax: row.missed_dates_max,
    batchCloseTime: row.batch_close_time,
    cvvPolicy: row.cvv_policy as Business['cvvPolicy'],
    avsPolicy: row.avs_policy as Business['avsPolicy'],
    savedCardCvvRequired: row.saved_card_cvv_required,
    threeDsEnabled: row.three_ds_enabled,
    // It is text if the row was selected as JSON.
    threeDsAbove: row.three_ds_above === null ? null : (Number(row.three_ds_above) as Cents),
    googlePayEnabled: row.google_pay_enabled,
    googlePayMerchantId: row.google_pay_merchant_id,
    googlePayCryptogramOnly: row.google_pay_cryptogram_only,
    termsUrl: row.terms_url,
    privacyUrl: row.privacy_url,
    supportEmail: row.support_email,
    supportPhone: row.support_phone,
    logoHash: row.logo_hash,
    brandColor: row.brand_color,
    colorScheme: row.color_scheme as ColorScheme,
    cornerRadius: row.corner_radius,
    fontStack: row.font_stack as FontStack,
    // It is text if the row was selected as JSON.
    newCardsRefusedUntil: row.new_cards_refused_until && new Date(row.new_cards_refused_until),
    clockOffsetSeconds: row.clock_offset_seconds,
  }
}

export async function findBusiness(db: Db, businessId: string): Promise<Business | null> {
  const row = await db.selectFrom('business').select(BUSINESS_COLUMNS).where('id', '=', businessId).executeTakeFirst()
  return row ? businessFrom(row) : null
}

export async function findBusinesses(db: Db, ids: readonly string[]): Promise<Business[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('business').select(BUSINESS_COLUMNS).where('id', 'in', ids).execute()
  return rows.map(businessFrom)
}

/**
 * Locks the business until the end of the transaction against others that lock it. Reading it, as a payment does, never
 * waits.
 */
export async function lockBusiness(tx: Tx, businessId: string): Promise<void> {
  await tx.selectFrom('business').select('id').where('id', '=', businessId).forNoKeyUpdate().execute()
}

/** @returns when the business was created, in real time; `null` if it does not exist */
export async function findBusinessCreatedAt(db: Db, businessId: string): Promise<Date | null> {
  const row = await db.selectFrom('business').select('created_at').where('id', '=', businessId).executeTakeFirst()
  return row?.created_at ?? null
}

/** Lists the businesses that settle their batches daily. */
export async function listClosingDaily(db: Db): Promise<Business[]> {
  const rows = await db
    .selectFrom('business')
    .select(BUSINESS_COLUMNS)
    .where('batch_close_time', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(businessFrom)
}

/** Lists all businesses, oldest first, for the operator's commands; no path of the API lists them. */
export async function listBusinesses(db: Db): Promise<Business[]> {
  const rows = await db.selectFrom('business').select(BUSINESS_COLUMNS).orderBy('id').execute()
  return rows.map(businessFrom)
}

export async function anyBusiness(db: Db): Promise<boolean> {
  return (await db.selectFrom('business').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Returns the columns that the settings are written to. Logo and card testing alarm have statements of their own. */
function rowOf(business: Business) {
  return {
    name: business.name,
    currency: business.currency,
    country: business.country,
    province: business.province,
    time_zone: business.timeZone,
    locale: business.locale,
    surcharge_rate_bp: business.surchargeRateBp,
    default_tax_rate_ppm: business.defaultTaxRatePpm,
    first_charge: business.firstCharge,
    after_last_retry: business.afterLastRetry,
    surcharge_rounding: business.surchargeRounding,
    billing_run_local_time: business.billingRunLocalTime,
    missed_dates_max: business.missedDatesMax,
    batch_close_time: business.batchCloseTime,
    cvv_policy: business.cvvPolicy,
    avs_policy: business.avsPolicy,
    saved_card_cvv_required: business.savedCardCvvRequired,
    three_ds_enabled: business.threeDsEnabled,
    three_ds_above: business.threeDsAbove,
    google_pay_enabled: business.googlePayEnabled,
    google_pay_merchant_id: business.googlePayMerchantId,
    google_pay_cryptogram_only: business.googlePayCryptogramOnly,
    terms_url: business.termsUrl,
    privacy_url: business.privacyUrl,
    support_email: business.supportEmail,
    support_phone: business.supportPhone,
    brand_color: business.brandColor,
    color_scheme: business.colorScheme,
    corner_radius: business.cornerRadius,
    font_stack: business.fontStack,
  }
}

export async function insertBusiness(tx: Tx, business: Business, createdAt: Date): Promise<void> {
  const { id, clockOffsetSeconds } = business
  const values = { ...rowOf(business), id, clock_offset_seconds: clockOffsetSeconds, created_at: createdAt }
  await tx.insertInto('business').values(values).execute()
}

/** Writes only the settings, so that concurrent changes of the test clock and of the alarm survive. */
export async function updateBusiness(tx: Tx, business: Business): Promise<void> {
  await tx.updateTable('business').set(rowOf(business)).where('id', '=', business.id).execute()
}

/**
 * Refuses new cards until a time, in `update business … where <condition>`. Returns no row if they are already refused.
 */
export function setNewCardsRefused(
  { businessId, now, until }: { businessId: string; now: Date; until: Date },
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`update business set new_cards_refused_until = ${until}::timestamptz
    where id = ${businessId}::uuid and coalesce(new_cards_refused_until <= ${now}::timestamptz, true) and ${condition}
    returning id`
}
