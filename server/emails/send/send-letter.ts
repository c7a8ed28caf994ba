import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Locale } from '../../../contract/payment-page.ts'
import type { Db } from '../../db/connection.ts'
import { isDatabaseAway } from '../../db/database-errors.ts'
import { assertNoTransaction } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import type { FaultPoints } from '../../lib/fault-points.ts'
import type { ClaimedLetter } from '../letter.ts'
import { type LinkServices, linkOfLetter, withLink } from '../letter-link.ts'
import { finishLetter, retryLetter } from '../letter-queries.ts'
import { type Attachment, buildMessage } from './build-message.ts'
import { nextAttemptAt } from './letter-schedule.ts'
import type { Mailer } from './mailer.ts'
import { sendFailure } from './smtp-failure.ts'

export interface SendServices extends LinkServices {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  faults: FaultPoints
  timeScale: number
  mailer: Mailer
  /** Texts that must be neither stored nor logged. */
  secrets: readonly string[]
  invoiceAttachment: (invoice: { businessId: string; invoiceId: string; locale: Locale }) => Promise<Attachment>
  countLetter(outcome: LetterOutcome): void
}

const RECORD_TRIES = 20
const RECORD_WAIT_MS = 1_000

/** `retried`: the attempt failed, and another one follows. */
export type LetterOutcome = 'sent' | 'kept' | 'failed' | 'retried'

/**
 * Sends a claimed letter and records the result. At least once: if the process ends between the server's acceptance and
 * the record, the letter is sent again, with the same Message-ID.
 *
 * @returns when the letter is tried again; `null` if it is finished
 * @see LTR-10, LTR-11
 */
export async function sendLetter(
  services: SendServices,
  letter: ClaimedLetter,
  signal: AbortSignal,
): Promise<Date | null> {
  const { db, clock, faults, countLetter } = services
  assertNoTransaction('Sending a letter')
  try {
    await deliver(services, letter, signal)
  } catch (error) {
    return recordFailure(services, letter, error)
  }
  faults.reach('after:letter_sent')
  await recorded(() => finishLetter(db, letter, { status: 'sent', now: clock.now() }))
  countLetter('sent')
  return null
}

async function deliver(services: SendServices, letter: ClaimedLetter, signal: AbortSignal) {
  const { mailer, invoiceAttachment } = services
  const { invoiceId } = letter
  const attachment = invoiceId === null ? null : await invoiceAttachment({ ...letter, invoiceId })
  await mailer.send(
    await buildMessage(withLink(letter, linkOfLetter(services, letter)), { from: mailer.from, attachment }),
    signal,
  )
}

async function recordFailure(services: SendServices, letter: ClaimedLetter, error: unknown): Promise<Date | null> {
  const { db, clock, log, timeScale, secrets, countLetter } = services
  const { isFinal, description } = sendFailure(error, secrets)
  const now = clock.now()
  const dueAt = isFinal ? null : nextAttemptAt(letter, { now, timeScale, random: Math.random() })
  const about = { letter: letter.id, kind: letter.kind, attempt: letter.attempts, reason: description }
  if (dueAt) {
    log.warn(about, 'a letter could not be sent; it is tried again')
    await recorded(() => retryLetter(db, letter, { error: description, dueAt }))
  } else {
    log.error(about, 'a letter could not be sent')
    await recorded(() => finishLetter(db, letter, { status: 'failed', error: description, now }))
  }
  countLetter(dueAt ? 'retried' : 'failed')
  return dueAt
}

/**
 * Repeats a write while the database is unavailable, as long as the claim is valid: a sent letter without a record
 * would be sent twice.
 */
async function recorded(write: () => Promise<boolean>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await write()
      return
    } catch (error) {
      if (tried === RECORD_TRIES || !isDatabaseAway(error)) throw error
      await sleep(RECORD_WAIT_MS)
    }
  }
}
