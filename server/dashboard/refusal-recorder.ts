import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../db/connection.ts'
import { holdsCardNumber } from '../lib/card-number-in-text.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import type { RefusedCall, RefusedRequest } from './refused-request.ts'
import { insertRefusedRequests } from './refused-request-queries.ts'

export interface RefusalRecorder {
  /** Records a call, and returns at once. No request waits for the write or fails with it. */
  record(call: RefusedCall): void
  /** Writes what is waiting; resolves when it is written. */
  flush(): Promise<void>
}

/** Limit for each business in one process, so that a server in a loop does not fill the table. */
const RECORDED_A_MINUTE = 60
const MINUTE_MS = 60_000
const FLUSH_AFTER_MS = 1_000
/** Name of one of our fields. Any other name was made up by the caller, and may contain anything. */
const FIELD = /^[a-zA-Z_][\w.-]{0,79}$/
/** One of our credentials, sent as the name of a field. */
const CREDENTIAL = /rc_[a-z]{2}_|whsec_/i
/** Names inside metadata are the merchant's own. */
const OWN_NAMES = /(?<=^metadata|\.metadata)\..*$/

/** Records refused calls in batches, outside of the requests. A crash loses the calls of one second. */
export function createRefusalRecorder({ db, clock, log }: Services): RefusalRecorder {
  let waiting: RefusedRequest[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  const mayRecord = minuteLimit(clock)

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const rows = waiting
    waiting = []
    if (rows.length > 0) {
      const write = () => insertRefusedRequests(db, rows)
      writing = writing
        .then(write)
        .catch((error: unknown) => log.warn({ err: error, calls: rows.length }, 'refused calls not recorded'))
    }
    return writing
  }

  return {
    record(call) {
      if (!mayRecord(call.credential.businessId)) return
      waiting.push(refusedRequest(call, clock.now()))
      timer ??= setTimeout(() => void flush(), FLUSH_AFTER_MS).unref()
    },
    flush,
  }
}

interface Services {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
}

function minuteLimit(clock: Clock): (businessId: string) => boolean {
  let counts = new Map<string, number>()
  let sinceMs = clock.monotonicMs()
  return (businessId) => {
    if (clock.monotonicMs() - sinceMs >= MINUTE_MS) {
      counts = new Map()
      sinceMs = clock.monotonicMs()
    }
    const count = (counts.get(businessId) ?? 0) + 1
    counts.set(businessId, count)
    return count <= RECORDED_A_MINUTE
  }
}

function refusedRequest({ credential, fields, path, ...call }: RefusedCall, createdAt: Date): RefusedRequest {
  const [field = ''] = fields
  return {
    ...call,
    businessId: credential.businessId,
    id: newId(),
    createdAt,
    path: path ?? 'unknown',
    param: shownField(field),
    credentialKind: credential.kind,
    credentialId: credential.id,
  }
}

function shownField(field: string): string | null {
  const name = field.replace(OWN_NAMES, '')
  return FIELD.test(name) && !CREDENTIAL.test(name) && !holdsCardNumber(name) ? name : null
}
