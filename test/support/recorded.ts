import { setTimeout as sleep } from 'node:timers/promises'
import type { AvsPolicy, CvvPolicy } from '../../contract/card-checks.ts'
import { withLinks } from '../../server/events/event-links.ts'
import { readStoredData, type StoredData } from '../../server/events/stored-data.ts'
import { KEPT_MS } from '../../server/lib/ttl-cache.ts'
import type { TestService } from './service.ts'

// Direct access to recorded data and to the clock, without the API.

type Services = Pick<TestService, 'app' | 'demo'>

/** Returns the events of an object, in order. */
export async function eventsOf({ app, demo }: Services, objectId: string) {
  const rows = await app.services.db
    .selectFrom('event')
    .select(['id', 'type', 'sequence', 'data', 'created_at'])
    .where('business_id', '=', demo.business_id)
    .where('object_id', '=', objectId)
    .orderBy('sequence')
    .execute()
  return rows.map((row) => {
    const data = readStoredData(row.data as StoredData)
    // Of a deleted event, only its number may be left.
    const shown = 'object' in data ? withLinks(data, demo.business_id, app.services.subscriptionLink) : data
    return { ...row, data: shown as { object: Record<string, unknown> } }
  })
}

/** Returns all stored cards, oldest first. */
export function storedCards({ app, demo }: Services) {
  return app.services.db
    .selectFrom('stored_card')
    .selectAll()
    .where('business_id', '=', demo.business_id)
    .orderBy('created_at')
    .execute()
}

export async function customerOf({ app, demo }: Services, email: string) {
  return app.services.db
    .selectFrom('customer')
    .selectAll()
    .where('business_id', '=', demo.business_id)
    .where('email_folded', '=', email.toLowerCase())
    .executeTakeFirst()
}

/**
 * Changes settings for which the API has no path. Callers of the API see them after a second: see
 * server/lib/ttl-cache.ts.
 */
export async function setBusiness(
  { app, demo }: Services,
  settings: {
    clock_offset_seconds?: number
    surcharge_rate_bp?: number | null
    terms_url?: string | null
    country?: 'US' | 'CA'
    province?: string | null
    first_charge?: 'on_start_date' | 'at_create'
    surcharge_rounding?: 'half_up' | 'down'
    cvv_policy?: CvvPolicy
    avs_policy?: AvsPolicy
    saved_card_cvv_required?: boolean
    three_ds_enabled?: boolean
    /** Threshold in cents. */
    three_ds_above?: number | null
    google_pay_enabled?: boolean
    google_pay_merchant_id?: string | null
  },
): Promise<void> {
  await app.services.db.updateTable('business').set(settings).where('id', '=', demo.business_id).execute()
  app.services.merchants.forget()
}

/**
 * Resets the clock. The business of an access token is cached for a second: after that no session is created with the
 * former time.
 */
export async function resetClock(service: Services): Promise<void> {
  await setBusiness(service, { clock_offset_seconds: 0 })
  await sleep(KEPT_MS)
}
