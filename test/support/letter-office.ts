import { pino } from 'pino'
import { connect, type Database } from '../../server/db/connection.ts'
import { transaction } from '../../server/db/transaction.ts'
import type { Letter, NewLetter } from '../../server/emails/letter.ts'
import { findLetter, insertLetters } from '../../server/emails/letter-queries.ts'
import { type LetterWorker, startLetterWorker } from '../../server/emails/send/letter-worker.ts'
import { smtpMailer } from '../../server/emails/send/mailer.ts'
import type { SendServices } from '../../server/emails/send/send-letter.ts'
import { readSmtpUrl, type SmtpServer } from '../../server/emails/send/smtp-server.ts'
import { type Clock, systemClock } from '../../server/lib/clock.ts'
import { noFaults } from '../../server/lib/fault-points.ts'
import { createKeyring } from '../../server/lib/keyring.ts'
import { createTestDatabase } from './database.ts'
import { newLetter } from './new-letter.ts'
import { until } from './until.ts'

export interface WorkerOptions {
  /** URL of the mail server, as an operator configures it. */
  url: string
  startTls?: SmtpServer['startTls']
  clock?: Clock
  /** Scale of times: by default, 15 s until the second attempt become 150 ms, and an attempt takes 3 s at most. */
  timeScale?: number
  invoiceAttachment?: SendServices['invoiceAttachment']
  /** Maximum number of connections to the database. */
  connections?: number
}

/** A database with letters, and workers that send them. */
export interface LetterOffice extends AsyncDisposable {
  database: Database
  /** Outcomes that the workers counted. */
  outcomes: string[]
  logged(): string
  write(...letters: Partial<NewLetter>[]): Promise<NewLetter[]>
  startWorker(options: WorkerOptions): LetterWorker
  read(letter: NewLetter): Promise<Letter>
  /** Waits until a letter has that status. */
  reaches(letter: NewLetter, status: Letter['status']): Promise<Letter>
}

export async function openLetterOffice(): Promise<LetterOffice> {
  const testDatabase = await createTestDatabase()
  const database = connect({ url: testDatabase.url, max: 4 })
  const workers: (() => Promise<void>)[] = []
  const outcomes: string[] = []
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const read = async ({ businessId, id }: NewLetter) => {
    const letter = await findLetter(database.db, businessId, id)
    if (!letter) throw new Error('the letter is gone')
    return letter
  }
  return {
    database,
    outcomes,
    logged: () => lines.join(''),
    async write(...changes) {
      const letters = changes.map(newLetter)
      await transaction(database.db, (tx) => insertLetters(tx, letters))
      return letters
    },
    startWorker({
      url,
      startTls = 'if_offered',
      clock = systemClock,
      timeScale = 0.01,
      invoiceAttachment,
      connections = 4,
    }) {
      const server = readSmtpUrl(url)
      if (!server) throw new Error(`${url} is not a mail server`)
      const own = connect({ url: testDatabase.url, max: connections })
      const worker = startLetterWorker({
        db: own.db,
        clock,
        log,
        timeScale,
        keyring: createKeyring([Buffer.alloc(32, 1)]),
        subscriptionLink: ({ id }) => `https://pay.example/customer/checkout/${id}`,
        faults: noFaults,
        mailer: smtpMailer({ ...server, startTls: server.startTls ?? startTls, from: 'billing@pay.example' }),
        secrets: server.auth ? [server.auth.pass, server.auth.user] : [],
        invoiceAttachment: invoiceAttachment ?? (() => Promise.reject(new Error('no such invoice'))),
        countLetter: (outcome) => void outcomes.push(outcome),
      })
      const stop = async () => {
        await worker.stop()
        await own.close()
      }
      workers.push(stop)
      return {
        async stop() {
          workers.splice(workers.indexOf(stop), 1)
          await stop()
        },
      }
    },
    read,
    async reaches(letter, status) {
      await until(`the letter is ${status}`, async () => (await read(letter)).status === status)
      return read(letter)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((stop) => stop()))
      await database.close()
      await testDatabase.drop()
    },
  }
}
