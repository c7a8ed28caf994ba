import { sql } from 'kysely'
import { findPortion } from '../checkout/sessions/close-session-queries.ts'
import { SESSION_LIFETIME_SECONDS } from '../checkout/sessions/session.ts'
import type { Db } from '../db/connection.ts'
import { readProgress, recordProgress } from '../db/job-progress.ts'
import { addSeconds, type Clock } from '../lib/clock.ts'

const JOB = 'index session references'

/** What a merchant wrote on a session `x`, in the form that is searched. */
export const REFERENCE = sql`lower(coalesce(x.client_reference_id, '') || ' ' || coalesce(x.description, ''))`

/** Indexes what merchants wrote on sessions that are over. It continues where the last run ended. */
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

/** Returns the time since which sessions may not be indexed yet. */
export async function readNotIndexedSince(db: Db, now: Date): Promise<Date> {
  return addSeconds(await readProgress(db, JOB, now), -SESSION_LIFETIME_SECONDS)
}

/** Sessions that can have a reference. */
interface ReferencedSessions {
  /** Indexed sessions that have it. */
  ids: string[]
  /** Sessions created since this time may have it, too. */
  since: Date
}

/** Maximum number of indexed sessions to look up. Reading the newest sessions soon finds a more frequent reference. */
const FEW = 1_000

/**
 * Returns where to look for the sessions with a reference.
 *
 * @returns `undefined` for a reference that many sessions have
 */
export async function findReferencedSessions(
  db: Db,
  { businessId, reference, now }: { businessId: string; reference: string; now: Date },
): Promise<ReferencedSessions | undefined> {
  // Read before the ids, so that a session indexed meanwhile is in both rather than in neither.
  const since = await readNotIndexedSince(db, now)
  const { rows } = await sql<{ id: string }>`select session_id as id from session_reference
    where business_id = ${businessId}::uuid and left(reference, 64) ^@ left(lower(${reference}) || ' ', 64)
    limit ${FEW + 1}`.execute(db)
  return rows.length > FEW ? undefined : { ids: rows.map(({ id }) => id), since }
}
