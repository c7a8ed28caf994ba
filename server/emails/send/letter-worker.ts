import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/connection.ts'
import { createPoller } from '../../jobs/poller.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import type { ClaimedLetter } from '../letter.ts'
import { claimLetters, keepLetters } from '../letter-queries.ts'
import { onNewLetters } from '../letter-wakes.ts'
import { ATTEMPT_SECONDS, LEASE_SECONDS } from './letter-schedule.ts'
import { CONNECTIONS } from './mailer.ts'
import { type LetterOutcome, type SendServices, sendLetter } from './send-letter.ts'

/** Sends letters until it is stopped. */
export interface LetterWorker {
  /** Gives letters in progress a moment to finish; the next process sends the others. */
  stop(): Promise<void>
}

/**
 * Polling interval, for letters of other processes and those that are due again; a commit of this process wakes the
 * worker directly.
 */
const POLL_MS = 30_000
const STOP_MS = 5_000
const KEPT_AT_ONCE = 500

/** Starts a worker. Any number of processes may send at the same time. */
export function startLetterWorker(services: SendServices): LetterWorker {
  const { db, clock, log, timeScale } = services
  const sending = new Set<Promise<void>>()
  const stopping = new AbortController()
  const poller = createPoller({
    everyMs: POLL_MS * timeScale,
    onError: (error) => log.warn({ err: error }, 'letters could not be read; they are read again'),
    async poll() {
      const free = CONNECTIONS - sending.size
      if (free === 0) return
      const now = clock.now()
      const leaseUntil = addSeconds(now, LEASE_SECONDS * timeScale)
      for (const letter of await claimLetters(db, { now, leaseUntil, limit: free })) start(letter)
    },
  })
  const start = (letter: ClaimedLetter) => {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(ATTEMPT_SECONDS * 1_000 * timeScale)])
    const one = sendLetter(services, letter, signal)
      .then((dueAt) => {
        if (dueAt) poller.within(dueAt.getTime() - clock.now().getTime())
      })
      .catch((error: unknown) => log.warn({ err: error, letter: letter.id }, 'the result of a letter was not recorded'))
      .finally(() => {
        sending.delete(one)
        poller.within(0)
      })
    sending.add(one)
  }
  const removeListener = onNewLetters(() => poller.within(0))
  poller.start()
  return {
    async stop() {
      removeListener()
      await poller.stop()
      const limit = setTimeout(() => stopping.abort(), STOP_MS * timeScale)
      await Promise.all(sending)
      clearTimeout(limit)
      services.mailer.close()
    },
  }
}

/**
 * Starts the replacement of the worker if there is no mail server: it marks letters as kept, so that the mailbox shows
 * them (LTR-15).
 */
export function startLetterKeeper({
  db,
  clock,
  log,
  timeScale,
  countLetter,
}: {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  timeScale: number
  countLetter(outcome: LetterOutcome): void
}): LetterWorker {
  const poller = createPoller({
    everyMs: POLL_MS * timeScale,
    onError: (error) => log.warn({ err: error }, 'letters could not be kept; they are read again'),
    async poll() {
      for (let kept = KEPT_AT_ONCE; kept === KEPT_AT_ONCE; ) {
        kept = await keepLetters(db, { now: clock.now(), limit: KEPT_AT_ONCE })
        for (let one = 0; one < kept; one++) countLetter('kept')
      }
    },
  })
  const removeListener = onNewLetters(() => poller.within(0))
  poller.start()
  return {
    async stop() {
      removeListener()
      await poller.stop()
    },
  }
}
