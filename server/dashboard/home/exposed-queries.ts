import { sql } from 'kysely'
import type { Environment } from '../../access/shared/context.ts'
import type { Db } from '../../db/connection.ts'

/** A credential of a merchant's server that a page sent and that still works. */
export interface ExposedRow {
  kind: 'key_in_page' | 'token_in_page'
  /** Id of the key or the client. */
  id: string
  name: string
  /** Last four characters of the key or of the client's id, because several may have the same name. */
  lastFour: string
  seenAt: Date
  origin: string | null
  /** When a rotated key ends; otherwise `null`. */
  until: Date | null
}

interface Which {
  businessId: string
  environment: Environment
  now: Date
  /** Tokens that no page has sent since this time are not listed. */
  tokensSince: Date
}

/** Lists exposed credentials, the one seen last first. */
export async function listExposed(db: Db, { businessId, environment, now, tokensSince }: Which): Promise<ExposedRow[]> {
  const { rows } = await sql<ExposedRow>`
    select 'key_in_page' as kind, id, name, last_four as "lastFour", seen_in_page_at as "seenAt",
      seen_on_origin as origin, expires_at as until
    from api_key
    where business_id = ${businessId}::uuid and environment = ${environment} and seen_in_page_at is not null
      and revoked_at is null and (expires_at is null or expires_at > ${now}::timestamptz)
    union all
    select 'token_in_page', id, name, right(id::text, 4), seen_in_page_at, seen_on_origin, null
    from oauth_client
    where business_id = ${businessId}::uuid and environment = ${environment} and revoked_at is null
      and seen_in_page_at > ${tokensSince}::timestamptz
    order by "seenAt" desc`.execute(db)
  return rows
}
