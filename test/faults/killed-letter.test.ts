import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { connect, type Database } from '../../server/db/connection.ts'
import { transaction } from '../../server/db/transaction.ts'
import type { NewLetter } from '../../server/emails/letter.ts'
import { findLetter, insertLetters } from '../../server/emails/letter-queries.ts'
import { type KillableService, openKillableService } from '../support/killable-service.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { newLetter } from '../support/new-letter.ts'
import { until } from '../support/until.ts'

/** Scales a lease of 360 s to 10.8 s, within which a busy machine sends a letter. */
const TIME_SCALE = 0.03

let server: MailServer
let env: Record<string, string>
let service: KillableService
let database: Database
before(async () => {
  server = await startMailServer()
  env = { SMTP_URL: server.url, MAIL_FROM: 'billing@pay.example' }
  service = await openKillableService({ timeScale: TIME_SCALE, env })
  database = connect({ url: service.databaseUrl, max: 2 })
})
after(async () => {
  await database.close()
  await service[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

async function write(): Promise<NewLetter> {
  const letter = newLetter({ businessId: service.demo.business_id })
  await transaction(database.db, (tx) => insertLetters(tx, [letter]))
  return letter
}

const sendsOf = ({ id }: NewLetter) =>
  server.received.filter(({ raw }) => raw.includes(`Message-ID: <${id}@pay.example>`))
const statusOf = async ({ businessId, id }: NewLetter) => (await findLetter(database.db, businessId, id))?.status

describe('A service that is killed (LTR-10)', () => {
  test('while it sends a letter: the next one sends it', async () => {
    server.behave({ data: () => new Promise(() => {}) })
    const letter = await write()
    await until('the letter is being sent', () => sendsOf(letter).length === 1)
    await service.kill()
    equal(await statusOf(letter), 'pending')
    server.behave({})
    await service.start({ env })
    await until('the letter is sent', async () => (await statusOf(letter)) === 'sent')
    equal(server.accepted.filter(({ raw }) => raw.includes(letter.id)).length, 1)
  })

  test('between the acceptance of a letter and its record: the copy has the same Message-ID and the same bytes', async () => {
    await service.kill()
    await service.start({ env, fault: 'after:letter_sent' })
    const letter = await write()
    equal(await service.ended(), null)
    deepEqual([sendsOf(letter).length, await statusOf(letter)], [1, 'pending'])
    await service.start({ env })
    await until('the letter is sent', async () => (await statusOf(letter)) === 'sent')
    const [first, second, ...others] = sendsOf(letter).map(({ raw }) => raw)
    deepEqual([second, others], [first, []])
  })

  test('and one that is stopped finishes the letter that it is sending', async () => {
    const finish = Promise.withResolvers<null>()
    server.behave({ data: () => finish.promise })
    const letter = await write()
    await until('the letter is being sent', () => sendsOf(letter).length === 1)
    const ended = service.terminate()
    finish.resolve(null)
    equal(await ended, 0)
    deepEqual([sendsOf(letter).length, await statusOf(letter)], [1, 'sent'])
  })
})
