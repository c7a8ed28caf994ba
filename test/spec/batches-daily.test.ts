import { equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settleDueBatches } from '../../server/payments/batches/settle-due-batches.ts'
import { openBatchShop } from '../support/batch-shop.ts'
import { moneyRows } from '../support/money-rows.ts'
import { movableClock } from '../support/movable-clock.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { payForSubscription } from '../support/subscription-payment.ts'

describe('REF-17: the daily close', () => {
  async function openClosing(time: string) {
    const clock = movableClock()
    const shop = await openBatchShop({ clock })
    await using book = moneyRows(shop.service.databaseUrl)
    await book.query("update business set batch_close_time = $1, time_zone = 'UTC' where id = $2", [
      time,
      shop.service.demo.business_id,
    ])
    const run = () => settleDueBatches(shop.service.app.services)
    const number = async () => {
      // An access token expires within a day of the clock.
      const { data } = (await shop.api.get('/batches')).body
      return data.find(({ currency }: { currency: string }) => currency === 'usd').number
    }
    return { shop, clock, run, number }
  }
  const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16)
  const DAY = 86_400

  test('settles once when its time has come, and not before', async () => {
    const { shop, clock, run, number } = await openClosing(minutesFromNow(30))
    await using _closing = shop
    await run()
    equal(await number(), 1)
    clock.advance(31 * 60)
    await Promise.all([run(), run()])
    await run()
    equal(await number(), 2)
    await payForSubscription(shop.service, shop.stored)
    clock.advance(3_600)
    await run()
    equal(await number(), 2)
    clock.advance(DAY)
    await run()
    equal(await number(), 3)
    await assertSoundBooks(shop.service)
  })

  test('an empty batch waits for the close of the next day', async () => {
    const { shop, clock, run, number } = await openClosing(minutesFromNow(30))
    await using _closing = shop
    await shop.settle()
    clock.advance(31 * 60)
    await run()
    await payForSubscription(shop.service, shop.stored)
    await run()
    equal(await number(), 2)
    clock.advance(DAY)
    await run()
    equal(await number(), 3)
  })

  test('a settlement that failed is tried again after half an hour', async () => {
    const { shop, clock, run, number } = await openClosing(minutesFromNow(5))
    await using _closing = shop
    await run()
    clock.advance(6 * 60)
    await shop.service.simulator.script({ outcomes: [{ op: 'settle', outcome: 'declined' }] })
    await run()
    await run()
    equal(await number(), 1)
    clock.advance(31 * 60)
    await run()
    equal(await number(), 2)
  })

  test('goes by the time of the business, which its test clock moves', async () => {
    const { shop, run, number } = await openClosing(minutesFromNow(30))
    await using _closing = shop
    await run()
    await using book = moneyRows(shop.service.databaseUrl)
    await book.query('update business set clock_offset_seconds = $1', [DAY])
    await run()
    equal(await number(), 2)
  })
})
