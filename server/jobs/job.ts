import { Ajv, type ValidateFunction } from 'ajv'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Static, TObject } from 'typebox'
import { afterCommit } from '../db/after-commit.ts'
import type { Tx } from '../db/transaction.ts'

/** When a job runs without being enqueued: every `everyMinutes`, counted from midnight UTC plus `from` minutes. */
export interface Timetable {
  everyMinutes: number
  from?: number
}

interface JobDefinition<Data extends TObject, Services> {
  name: string
  /** Checked when the job is enqueued and again when it runs: another version may have enqueued it. */
  data: Data
  retries: { max: number; delaySeconds: number }
  /** A job with a timetable runs with no data, so none of its data may be required. */
  timetable?: Timetable
  /** Maximum delay until another process runs a job whose process ended after enqueueing it. 60 by default. */
  pollSeconds?: number
  /** May run more than once for one enqueued job, so it must be idempotent. */
  run(services: Services, data: Static<Data>): Promise<void>
}

export interface Job<Data extends TObject, Services> {
  readonly name: string
  /** Enqueues inside the caller's transaction: the job exists only if the change commits. */
  enqueue(tx: Tx, data: Static<Data>, options?: { at?: Date }): Promise<void>
  /** Runs the job once, immediately, in this process. */
  run(services: Services, data: Static<Data>): Promise<void>
  worker(services: Services): JobWorker
}

/** A job bound to its services. */
export interface JobWorker {
  name: string
  retries: { max: number; delaySeconds: number }
  timetable: Timetable | null
  pollSeconds: number
  run(data: unknown): Promise<void>
}

const POLL_SECONDS = 60

const ajv = new Ajv({ allErrors: true })
/** Listeners of this process, by the name of the job. */
const listeners = new Map<string, Set<(at: Date | null) => void>>()

/** Defines a job. */
export function job<Data extends TObject, Services>(definition: JobDefinition<Data, Services>): Job<Data, Services> {
  const { name, retries, timetable = null, pollSeconds = POLL_SECONDS } = definition
  let validate: ValidateFunction<Static<Data>> | undefined
  const check = (data: unknown): Static<Data> => {
    validate ??= ajv.compile<Static<Data>>(definition.data)
    if (validate(data)) return data
    throw new Error(`The data of the job ${name} is invalid: ${ajv.errorsText(validate.errors, { dataVar: 'data' })}`)
  }
  const run = async (services: Services, data: unknown) => definition.run(services, check(data))
  return {
    name,
    async enqueue(tx, data, { at } = {}) {
      await insert(tx, name, check(data), at)
      afterCommit(() => notify(name, at ?? null))
    },
    run,
    worker: (services) => ({ name, retries, timetable, pollSeconds, run: (data) => run(services, data) }),
  }
}

/** Sends on the connection of the transaction. This instance of pg-boss starts no timers and opens no connection. */
async function insert(tx: Tx, name: string, data: object, at: Date | undefined): Promise<void> {
  const boss = new PgBoss({ db: fromKysely(tx), migrate: false, supervise: false, schedule: false })
  await boss.send(name, data, at ? { startAfter: at } : {})
}

function notify(name: string, at: Date | null): void {
  for (const listener of listeners.get(name) ?? []) listener(at)
}

/**
 * Calls `listener` when this process has enqueued the job, so that it runs without waiting for a poll.
 *
 * @param listener receives the time when the job is due; `null` means now
 * @returns a function that removes the listener
 */
export function onEnqueued(name: string, listener: (at: Date | null) => void): () => void {
  const all = listeners.get(name) ?? new Set()
  listeners.set(name, all.add(listener))
  return () => void all.delete(listener)
}
