import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { transaction } from '../../server/db/transaction.ts'
import { insertLetters } from '../../server/emails/letter-queries.ts'
import { nextAttemptAt } from '../../server/emails/send/letter-schedule.ts'
import { sendLetter } from '../../server/emails/send/send-letter.ts'
import { addSeconds, systemClock } from '../../server/lib/clock.ts'
import { freePorts } from '../support/free-ports.ts'
import { type LetterOffice, openLetterOffice } from '../support/letter-office.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { claimedLetter, newLetter } from '../support/new-letter.ts'
import { until } from '../support/until.ts'

/** A worker polls every 30 s. */
const BEFORE_A_POLL_MS = 20_000

let office: LetterOffice
let server: MailServer
beforeEach(async () => {
  office = await openLetterOffice()
  server = await startMailServer()
})
afterEach(async () => {
  await office[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const messageIds = (mails: { raw: string }[]) => mails.map(({ raw }) => /^Message-ID: <(.*)@/m.exec(raw)?.[1])
const one = async (change = {}) => (await office.write(change))[0] ?? newLetter()

describe('A letter (LTR-10)', () => {
  test('is sent to one recipient, from the address that sends', async () => {
    const letter = await one({ recipient: 'ana+x@customer.example', replyTo: 'help@shop.example' })
    office.startWorker({ url: server.url, timeScale: 1 })
    const { attempts, lastError, finishedAt } = await office.reaches(letter, 'sent')
    deepEqual([attempts, lastError, finishedAt !== null], [1, null, true])
    const [mail] = server.accepted
    deepEqual([mail?.from, mail?.to], ['billing@pay.example', ['ana+x@customer.example']])
    match(mail?.raw ?? '', /^From: Corner Shop <billing@pay\.example>\r$/m)
    match(mail?.raw ?? '', /^Reply-To: help@shop\.example\r$/m)
    deepEqual(office.outcomes, ['sent'])
  })

  test('is sent as soon as its transaction commits, and not when it is rolled back', async () => {
    office.startWorker({ url: server.url, timeScale: 1 })
    await sleep(100)
    const kept = newLetter()
    const rolledBack = newLetter()
    await rejects(
      transaction(office.database.db, async (tx) => {
        await insertLetters(tx, [rolledBack])
        throw new Error('rolled back')
      }),
    )
    await transaction(office.database.db, (tx) => insertLetters(tx, [kept]))
    await until('the letter is sent', () => server.accepted.length === 1, BEFORE_A_POLL_MS)
    deepEqual(messageIds(server.accepted), [kept.id])
  })

  test('of a notification that is composed twice is sent once', async () => {
    const letter = newLetter()
    for (const id of [letter.id, newLetter().id])
      await transaction(office.database.db, (tx) => insertLetters(tx, [{ ...letter, id, subject: id }]))
    office.startWorker({ url: server.url })
    await office.reaches(letter, 'sent')
    await sleep(200)
    equal(server.accepted.length, 1)
  })

  test('is sent by one of several workers, over few connections', async () => {
    const letters = await office.write(...Array.from({ length: 60 }, () => ({})))
    for (let worker = 0; worker < 3; worker++) office.startWorker({ url: server.url, timeScale: 0.1 })
    await until('all are sent', () => office.outcomes.length >= 60, 20_000)
    deepEqual(messageIds(server.accepted).sort(), letters.map(({ id }) => id).sort())
    ok(server.connections() <= 12, `${server.connections()} connections`)
  })

  test('is never sent while a transaction is open', async () => {
    const services = { db: office.database.db } as Parameters<typeof sendLetter>[0]
    await rejects(
      transaction(office.database.db, () => sendLetter(services, claimedLetter(), AbortSignal.timeout(1_000))),
      /while a transaction is open/,
    )
  })
})

describe('A mail server (LTR-11)', () => {
  for (const place of ['from', 'recipient', 'data'] as const)
    test(`with 4xx at ${place} gets the same letter again`, async () => {
      let refusals = 2
      server.behave({ [place]: () => (refusals-- > 0 ? 451 : null) })
      const letter = await one()
      office.startWorker({ url: server.url })
      const { attempts } = await office.reaches(letter, 'sent')
      equal(attempts, 3)
      equal(server.accepted.length, 1)
      equal(new Set(server.received.map(({ raw }) => raw)).size, 1, 'every attempt sends the same bytes')
      deepEqual(office.outcomes, ['retried', 'retried', 'sent'])
    })

  for (const place of ['recipient', 'data'] as const)
    test(`with 5xx at ${place} ends the letter`, async () => {
      server.behave({ [place]: () => 550 })
      const letter = await one()
      office.startWorker({ url: server.url })
      const { attempts, lastError } = await office.reaches(letter, 'failed')
      equal(attempts, 1)
      match(lastError ?? '', /550.*refused by the test/)
      deepEqual(office.outcomes, ['failed'])
    })

  test('with 5xx for the sender, or for the user, gets the letters when an operator has mended it', async () => {
    await using guarded = await startMailServer({ auth: true })
    let wrong = 3
    guarded.behave({
      auth: () => (wrong-- > 1 ? 535 : null),
      from: () => (wrong-- > -1 ? 550 : null),
    })
    const letter = await one()
    office.startWorker({ url: guarded.url.replace('//', '//us%40er:hunter%2F2@') })
    const { attempts } = await office.reaches(letter, 'sent')
    ok(attempts >= 3, `${attempts}`)
    ok(!office.logged().includes('hunter/2'))
  })

  test('that repeats a password has it neither stored nor logged', async () => {
    await using guarded = await startMailServer({ auth: true })
    guarded.behave({ recipient: () => 550 })
    const letter = await one()
    // The text of the server's refusal.
    office.startWorker({ url: guarded.url.replace('//', '//user:refused@') })
    const { lastError } = await office.reaches(letter, 'failed')
    match(lastError ?? '', /\*\*\* by the test/)
    ok(!office.logged().includes('refused by'))
  })

  test('that is away gets the letters when it is back', async () => {
    const [port = 0] = await freePorts()
    const letter = await one()
    office.startWorker({ url: `smtp://127.0.0.1:${port}` })
    await until('attempts fail', () => office.outcomes.length >= 2)
    const { status, lastError } = await office.read(letter)
    equal(status, 'pending')
    match(lastError ?? '', /ECONNREFUSED/)
    await using back = await startMailServer({ port })
    await office.reaches(letter, 'sent')
    deepEqual(messageIds(back.accepted), [letter.id])
  })

  test('that drops the connection after a message gets it again, with the same Message-ID', async () => {
    let drops = 1
    server.behave({ data: () => (drops-- > 0 ? 'drop' : null) })
    const letter = await one()
    office.startWorker({ url: server.url })
    await office.reaches(letter, 'sent')
    deepEqual(messageIds(server.received), [letter.id, letter.id])
  })

  test('that never responds delays its letter, which is sent by another attempt', async () => {
    let hangs = 1
    server.behave({ data: () => (hangs-- > 0 ? new Promise(() => {}) : null) })
    const letter = await one()
    office.startWorker({ url: server.url })
    await office.reaches(letter, 'sent')
    deepEqual(messageIds(server.received), [letter.id, letter.id])
    match(office.outcomes.join(), /^(?:retried,)+sent$/)
  })

  test('that is slow holds no connection of the database, and no more letters than it has connections', async () => {
    const held = Promise.withResolvers<null>()
    server.behave({ data: () => held.promise })
    const letters = await office.write(...Array.from({ length: 10 }, () => ({})))
    office.startWorker({ url: server.url, timeScale: 1, connections: 1 })
    await until('as many are sent as there are connections', () => server.received.length === 4)
    const { rows } = await office.database.pool.query(
      `select count(*)::int as open from pg_stat_activity where datname = current_database() and state like 'idle in%'`,
    )
    deepEqual(rows, [{ open: 0 }])
    equal((await office.read(letters[9] ?? newLetter())).attempts, 0)
    // The worker's only connection is free: a commit is not delayed.
    held.resolve(null)
    await until('all are sent', () => server.accepted.length === 10)
  })

  test('that is slow at the end of the process has a moment; then the letter waits for the next process', async () => {
    server.behave({ data: () => new Promise(() => {}) })
    const letter = await one()
    const worker = office.startWorker({ url: server.url, timeScale: 0.05 })
    await until('the letter is being sent', () => server.received.length === 1)
    const stopped = performance.now()
    await worker.stop()
    // Of the 15 s that an attempt may last.
    ok(performance.now() - stopped < 10_000)
    const { status, lastError } = await office.read(letter)
    deepEqual([status, lastError !== null], ['pending', true])
    server.behave({})
    office.startWorker({ url: server.url })
    await office.reaches(letter, 'sent')
  })

  test('is not bothered with a letter that has no usable recipient', async () => {
    const letter = await one({ recipient: 'a@customer.example, b@customer.example' })
    office.startWorker({ url: server.url })
    const { lastError } = await office.reaches(letter, 'failed')
    deepEqual([lastError, server.connections()], ['the recipient is not one e-mail address', 0])
  })
})

describe('A letter that cannot be sent', () => {
  test('is tried for a day, less and less often', async () => {
    const random = 0.5
    const firstAttemptAt = new Date('2026-11-22T15:00:00Z')
    let now = firstAttemptAt
    const waits: number[] = []
    for (let attempts = 1; ; attempts++) {
      const next = nextAttemptAt({ attempts, firstAttemptAt }, { now, timeScale: 1, random })
      if (!next) break
      waits.push((next.getTime() - now.getTime()) / 1_000)
      now = next
    }
    deepEqual(waits.slice(0, 7), [15, 60, 300, 900, 1_800, 3_600, 3_600])
    equal(now.getTime(), addSeconds(firstAttemptAt, 86_400).getTime(), 'the last attempt is a day after the first')
    for (const random of [0, 1]) {
      const next = nextAttemptAt({ attempts: 1, firstAttemptAt }, { now: firstAttemptAt, timeScale: 1, random })
      equal(next?.getTime(), addSeconds(firstAttemptAt, 15 * (0.8 + 0.4 * random)).getTime())
    }
  })

  test('fails a day after its first attempt, also if processes ended meanwhile', async () => {
    server.behave({ recipient: () => 451 })
    let ahead = 0
    const clock = { ...systemClock, now: () => addSeconds(new Date(), ahead) }
    const letter = await one()
    const worker = office.startWorker({ url: server.url, timeScale: 1, clock })
    await until('the first attempt has failed', () => office.outcomes.length === 1)
    await worker.stop()
    equal((await office.read(letter)).status, 'pending')
    ahead = 86_401
    office.startWorker({ url: server.url, timeScale: 1, clock })
    const { attempts, lastError } = await office.reaches(letter, 'failed')
    deepEqual([attempts, office.outcomes], [2, ['retried', 'failed']])
    match(lastError ?? '', /451/)
  })

  test('for want of its invoice is tried again', async () => {
    let missing = 1
    const letter = await one({ invoiceId: newLetter().id })
    office.startWorker({
      url: server.url,
      async invoiceAttachment() {
        if (missing-- > 0) throw new Error('no such invoice')
        return { fileName: 'invoice.pdf', mediaType: 'application/pdf', content: Buffer.from('%PDF') }
      },
    })
    equal((await office.reaches(letter, 'sent')).attempts, 2)
    match(server.accepted[0]?.raw ?? '', /filename=invoice\.pdf/)
  })
})

describe('TLS', () => {
  test('is required in production: a server that offers none gets nothing', async () => {
    const letter = await one()
    office.startWorker({ url: server.url, startTls: 'required' })
    await until('attempts fail', () => office.outcomes.includes('retried'))
    const { status, lastError } = await office.read(letter)
    deepEqual([status, server.received.length], ['pending', 0])
    match(lastError ?? '', /STARTTLS|ETLS/)
  })

  for (const startTls of ['required', 'if_offered'] as const)
    test(`is verified (${startTls}): a server with a certificate that nobody trusts gets neither password nor letter`, async () => {
      await using impostor = await startMailServer({ startTls: true, auth: true })
      const logins: string[] = []
      impostor.behave({
        auth(user) {
          logins.push(user)
          return null
        },
      })
      const letter = await one()
      office.startWorker({ url: impostor.url.replace('//', '//user:secret@'), startTls })
      await until('attempts fail', () => office.outcomes.includes('retried'))
      const { status, lastError } = await office.read(letter)
      deepEqual([status, impostor.received.length, logins], ['pending', 0, []])
      match(lastError ?? '', /certificate|self.signed/i)
    })

  test('is off where the URL says so', async () => {
    await using offers = await startMailServer({ startTls: true })
    const letter = await one()
    office.startWorker({ url: `${offers.url}?starttls=off`, startTls: 'required' })
    await office.reaches(letter, 'sent')
    equal(offers.accepted[0]?.isSecure, false)
  })
})
