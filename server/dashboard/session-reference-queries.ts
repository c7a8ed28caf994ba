import { sql } from 'kysely'
import { findPortion } from '../checkout/sessions/close-session-queries.ts'
import { SESSION_LIFETIME_SECONDS } from '../checkout/sessions/session.ts'
import type { Db } from '../db/connection.ts'
import { readProgress, recordProgress } from '../db/job-progress.ts'
import { addSeconds, type Clock } from '../lib/clock.ts'

const JOB = 'index session references'

/** What a merchant wrote on a session `x`, as it is searched. */
export const REFERENCE = sql`lower(coalesce(x.client_reference_id, '') || ' ' || coalesce(x.description, ''))`

/** Indexes what merchants wrote on sessions that are over, from where the job came to. */
export async function indexSessionReferences({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }): Promise<void> {
  const now = clock.now()
  let from = await readProgress(db, JOB, now)
  for (let isLast = false; !isLast; ) {
    const portion = await findPortion(db, { from, until: now })
    await sql`insert into session_reference (business_id, session_id, reference)
      select x.business_id, x.id, ${REFERENCE} from checkout_session x
      where x.expires_at >= ${from} and x.expires_at <= ${portion.until}
        and (x.client_reference_id is not null or x.description is not null)
      on conflict do nothing`.execute(db)
    await recordProgress(db, JOB, portion.until, now)
    from = portion.until
    isLast = portion.isLast
  }
}

/** Sessions created since then may not be indexed yet. */
export async function readNotIndexedSince(db: Db, now: Date): Promise<Date> {
  return addSeconds(await readProgress(db, JOB, now), -SESSION_LIFETIME_SECONDS)
}

/** The sessions that can have a reference. */
interface ReferencedSessions {
  /** Those that are indexed with it. */
  ids: string[]
  /** Any that was created since then. */
  since: Date
}

/** A reference that more sessions have is soon found by reading the newest. */
const FEW = 1_000

/**
 * Where to look for the sessions with a reference.
 *
 * @returns `undefined` for one that many have
 */
export async function findReferencedSessions(
  db: Db,
  { businessId, reference, now }: { businessId: string; reference: string; now: Date },
): Promise<ReferencedSessions | undefined> {
  // Before the ids: what is indexed meanwhile is among both.
  const since = await readNotIndexedSince(db, now)
  const { rows } = await sql<{ id: string }>`select session_id as id from session_reference
    where business_id = ${businessId}::uuid and left(reference, 64) ^@ left(lower(${reference}) || ' ', 64)
    limit ${FEW + 1}`.execute(db)
  return rows.length > FEW ? undefined : { ids: rows.map(({ id }) => id), since }
}
