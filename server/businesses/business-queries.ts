import type { Selectable } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { Business as BusinessTable } from '../db/tables.ts'
import type { Tx } from '../db/transaction.ts'
import type { Currency } from '../lib/money.ts'
import type { Business, Country } from './business.ts'

/** For queries that join the business to what they ask for; `businessFrom` reads them. */
export const BUSINESS_COLUMNS = [
  'business.id',
  'business.name',
  'business.currency',
  'business.country',
  'business.province',
  'business.time_zone',
  'business.locale',
  'business.surcharge_rate_bp',
  'business.three_ds_enabled',
  'business.terms_url',
  'business.privacy_url',
  'business.support_email',
  'business.support_phone',
  'business.logo_url',
  'business.brand_color',
  'business.clock_offset_seconds',
] as const

export type BusinessRow = Omit<Selectable<BusinessTable>, 'created_at'>

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
    threeDsEnabled: row.three_ds_enabled,
    termsUrl: row.terms_url,
    privacyUrl: row.privacy_url,
    supportEmail: row.support_email,
    supportPhone: row.support_phone,
    logoUrl: row.logo_url,
    brandColor: row.brand_color,
    clockOffsetSeconds: row.clock_offset_seconds,
  }
}

export async function findBusiness(db: Db, businessId: string): Promise<Business | null> {
  const row = await db.selectFrom('business').select(BUSINESS_COLUMNS).where('id', '=', businessId).executeTakeFirst()
  return row ? businessFrom(row) : null
}

/** Oldest first. For the operator: no path of the API lists businesses. */
export async function listBusinesses(db: Db): Promise<Business[]> {
  const rows = await db.selectFrom('business').select(BUSINESS_COLUMNS).orderBy('id').execute()
  return rows.map(businessFrom)
}

export async function anyBusiness(db: Db): Promise<boolean> {
  return (await db.selectFrom('business').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function insertBusiness(tx: Tx, business: Business, createdAt: Date): Promise<void> {
  await tx
    .insertInto('business')
    .values({
      id: business.id,
      name: business.name,
      currency: business.currency,
      country: business.country,
      province: business.province,
      time_zone: business.timeZone,
      locale: business.locale,
      surcharge_rate_bp: business.surchargeRateBp,
      three_ds_enabled: business.threeDsEnabled,
      terms_url: business.termsUrl,
      privacy_url: business.privacyUrl,
      support_email: business.supportEmail,
      support_phone: business.supportPhone,
      logo_url: business.logoUrl,
      brand_color: business.brandColor,
      clock_offset_seconds: business.clockOffsetSeconds,
      created_at: createdAt,
    })
    .execute()
}
