import { sql } from 'kysely'
import type { WebhookDisabledReason } from '../../../contract/webhook-endpoint.ts'
import type { Db } from '../../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../../db/page.ts'
import type { Tx } from '../../db/transaction.ts'
import type { SealedSecrets, WebhookEndpoint } from './webhook-endpoint.ts'

const COLUMNS = [
  'business_id as businessId',
  'id',
  'url',
  'description',
  'enabled_events as enabledEvents',
  'ordered',
  'status',
  sql<WebhookDisabledReason | null>`disabled_reason`.as('disabledReason'),
  'failing_since as failingSince',
  'basic_auth as basicAuth',
  'created_at as createdAt',
] as const

/** Selects the endpoints that are not deleted. */
const endpointsOf = (db: Db, businessId: string) =>
  db
    .selectFrom('webhook_endpoint')
    .select(COLUMNS)
    .where('business_id', '=', businessId)
    .where('deleted_at', 'is', null)

export function findEndpoint(db: Db, businessId: string, id: string): Promise<WebhookEndpoint | undefined> {
  return endpointsOf(db, businessId).where('id', '=', id).executeTakeFirst()
}

/** Locks the endpoint until the end of the transaction. Recording an event never waits for this lock. */
export function lockEndpoint(tx: Tx, businessId: string, id: string): Promise<WebhookEndpoint | undefined> {
  return endpointsOf(tx, businessId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export function listEndpoints(db: Db, businessId: string, page: PageRequest): Promise<Page<WebhookEndpoint>> {
  return readPage(db, { table: 'webhook_endpoint', businessId, query: endpointsOf(db, businessId) }, page)
}

export async function countEndpoints(tx: Tx, businessId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from webhook_endpoint
    where business_id = ${businessId}::uuid and deleted_at is null`.execute(tx)
  return rows[0]?.count ?? 0
}

export function findSecrets(db: Db, businessId: string, id: string): Promise<SealedSecrets | undefined> {
  return db
    .selectFrom('webhook_endpoint')
    .select(['secret', 'previous_secret as previousSecret', 'previous_secret_until as previousSecretUntil'])
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function insertEndpoint(db: Db, endpoint: WebhookEndpoint, secret: Buffer): Promise<void> {
  const { businessId, id, url, basicAuth, description, enabledEvents, ordered, status, createdAt } = endpoint
  await db
    .insertInto('webhook_endpoint')
    .values({
      business_id: businessId,
      id,
      url,
      basic_auth: basicAuth,
      description,
      enabled_events: enabledEvents,
      ordered,
      status,
      secret,
      created_at: createdAt,
      updated_at: createdAt,
    })
    .execute()
}

/** Writes a locked endpoint, except for its signing secrets. */
export async function updateEndpoint(tx: Tx, endpoint: WebhookEndpoint, at: Date): Promise<void> {
  const { businessId, id, description, enabledEvents, ordered, status, disabledReason, failingSince } = endpoint
  await tx
    .updateTable('webhook_endpoint')
    .set({
      url: endpoint.url,
      basic_auth: endpoint.basicAuth,
      description,
      enabled_events: enabledEvents,
      ordered,
      status,
      disabled_reason: disabledReason,
      failing_since: failingSince,
      updated_at: at,
    })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .execute()
}

interface Rotation {
  businessId: string
  id: string
  /** Sealed new secret. */
  secret: Buffer
  /** End of the time in which the previous secret signs, too. */
  previousUntil: Date
  at: Date
}

/** Makes the current secret the previous one; an earlier previous one no longer signs. */
export async function rotateSecret(db: Db, { businessId, id, secret, previousUntil, at }: Rotation): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_endpoint')
    .set(({ ref }) => ({
      previous_secret: ref('secret'),
      previous_secret_until: previousUntil,
      secret,
      updated_at: at,
    }))
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Deletes an endpoint and its secrets; the row stays for the deliveries that refer to it. Repeating this changes
 * nothing.
 *
 * @returns whether there is such an endpoint, deleted or not
 */
export async function deleteEndpoint(
  db: Db,
  { businessId, id, at }: { businessId: string; id: string; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_endpoint')
    .set({
      deleted_at: sql`coalesce(deleted_at, ${at}::timestamptz)`,
      secret: Buffer.alloc(0),
      previous_secret: null,
      previous_secret_until: null,
      basic_auth: null,
    })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
