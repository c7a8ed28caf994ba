import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { transaction } from '../../server/db/transaction.ts'
import type { Letter, NewLetter } from '../../server/emails/letter.ts'
import { deleteOldLettersJob } from '../../server/emails/letter-jobs.ts'
import { findLetter, insertLetters } from '../../server/emails/letter-queries.ts'
import { addSeconds } from '../../server/lib/clock.ts'
import { send } from '../support/merchant.ts'
import { newLetter } from '../support/new-letter.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const DAY = 86_400

let service: TestService
before(async () => {
  service = await openService()
  callInProcess(service)
})
after(() => service.close())

async function write(change: Partial<NewLetter> = {}): Promise<NewLetter> {
  const letter = newLetter({ businessId: service.demo.business_id, ...change })
  await transaction(service.app.services.db, (tx) => insertLetters(tx, [letter]))
  return letter
}
const read = ({ businessId, id }: NewLetter) => findLetter(service.app.services.db, businessId, id)

/** Creates a letter that was finished that many days ago. */
async function finished(daysAgo: number, status: Letter['status']): Promise<NewLetter> {
  const letter = await write()
  await service.app.services.db
    .updateTable('letter')
    .set({ status, due_at: null, finished_at: addSeconds(new Date(), -daysAgo * DAY) })
    .where('id', '=', letter.id)
    .execute()
  return letter
}

const figure = async (name: string) => {
  const { body } = await send(`${service.operationsUrl}/metrics`)
  return Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (.*)$`, 'm').exec(String(body))?.[1] ?? Number.NaN)
}

describe('Letters without a mail server (LTR-15)', () => {
  test('wait until a worker runs, which the figure of the oldest shows; then they are kept', async () => {
    const letter = await write()
    equal((await figure('rialto_oldest_pending_letter_seconds')) > 0, true)
    await service.app.startWorker()
    await until('the letter is kept', async () => (await read(letter))?.status === 'kept')
    equal(await figure('rialto_oldest_pending_letter_seconds'), 0)
    equal(await figure('rialto_letters_total{outcome="kept"}'), 1)
    const soon = await write()
    await until('the next one is kept at once', async () => (await read(soon))?.status === 'kept', 2_000)
    doesNotMatch(service.logged(), /SMTP_URL/)
  })

  test('are kept in production too, and the start says so once', async () => {
    await using production = await openService({ config: { environment: 'production' } })
    await production.app.startWorker()
    const { db } = production.app.services
    const letter = newLetter()
    await transaction(db, (tx) => insertLetters(tx, [letter]))
    await until(
      'the letter is kept',
      async () => (await findLetter(db, letter.businessId, letter.id))?.status === 'kept',
    )
    deepEqual(production.logged().match(/SMTP_URL is not set: letters are kept and not sent/g)?.length, 1)
  })
})

describe('Old letters', () => {
  test('are deleted after RIALTO_LETTER_DAYS, in portions; younger ones, and those that wait, stay', async () => {
    const { services } = service.app
    const old = await Promise.all((['sent', 'kept', 'failed'] as const).map((status) => finished(91, status)))
    const young = await finished(89, 'sent')
    const waiting = await write({ createdAt: addSeconds(new Date(), -400 * DAY) })
    await services.db
      .updateTable('letter')
      .set({ status: 'pending', due_at: addSeconds(new Date(), DAY), finished_at: null })
      .where('id', '=', waiting.id)
      .execute()
    await deleteOldLettersJob.run(services, {})
    deepEqual(await Promise.all(old.map(read)), [null, null, null])
    equal((await read(young))?.status, 'sent')
    equal((await read(waiting))?.status, 'pending')
    equal(services.letterDays, 90)
  })

  test('are more than one portion', async () => {
    const { services } = service.app
    const letters = Array.from({ length: 501 }, () => newLetter({ businessId: service.demo.business_id }))
    const ids = letters.map(({ id }) => id)
    await transaction(services.db, async (tx) => {
      await insertLetters(tx, letters)
      await tx
        .updateTable('letter')
        .set({ status: 'sent', due_at: null, finished_at: addSeconds(new Date(), -91 * DAY) })
        .where('id', 'in', ids)
        .execute()
    })
    await deleteOldLettersJob.run(services, {})
    const left = await services.db.selectFrom('letter').select('id').where('id', 'in', ids).execute()
    deepEqual(left, [])
  })
})

test('an address in a letter is in no log line', async () => {
  await write({ recipient: 'secret.person@customer.example' })
  doesNotMatch(service.logged(), /secret\.person/)
  match(service.logged(), /./)
})
