import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { wipeExpiredAuthentications } from '../../server/checkout/three-ds/wipe-expired-authentications.ts'
import { newId } from '../../server/lib/ids.ts'
import { withCheckDigit } from '../../server/lib/luhn.ts'
import { CARDS } from '../support/card-numbers.ts'
import { CAVV, decided, type FakeThreeDsServer, fakeThreeDsServer } from '../support/fake-three-ds-server.ts'
import { tally } from '../support/limited-doors.ts'
import { type Merchant, merchantOf } from '../support/merchant.ts'
import { type MovableClock, movableClock } from '../support/movable-clock.ts'
import { setBusiness } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { storeCard } from '../support/stored-card.ts'
import { authenticationsOf, threeDsOf } from '../support/three-ds.ts'

// TDS-1, TDS-12, TDS-13, and data that must not be stored.

let service: TestService
let merchant: Merchant
let bank: FakeThreeDsServer
let clock: MovableClock
let payer: ReturnType<typeof threeDsOf>
before(async () => {
  bank = fakeThreeDsServer()
  clock = movableClock()
  service = await openService({
    threeDsServer: bank,
    clock,
    rateLimits: true,
    config: { trustedProxies: ['127.0.0.1'] },
  })
  callInProcess(service)
  merchant = merchantOf(service)
  payer = threeDsOf(service)
  await setBusiness(service, { three_ds_enabled: true })
})
after(() => service.close())
beforeEach(() => bank.reset())

let addresses = 0
/** Returns a new address for each test. */
const from = () => ({ 'x-forwarded-for': `10.1.${++addresses >> 8}.${addresses & 255}` })

describe('The limits of 3-D Secure', () => {
  test('of a thousand inits of a session ten look a card up; the others are 429 with Retry-After', async () => {
    const token = await merchant.sessionToken()
    const statuses = new Map<number, number>()
    for (let round = 0; round < 20; round++) {
      const responses = await Promise.all(Array.from({ length: 50 }, () => payer.init(token, {}, from())))
      for (const response of responses) {
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
        if (response.status === 429) ok(Number(response.headers.get('retry-after')) > 0)
      }
    }
    // Of concurrent ones, the newest ends the others.
    deepEqual([(statuses.get(200) ?? 0) + (statuses.get(408) ?? 0), statuses.get(429)], [10, 990])
    equal(bank.lookups, 10)
  })

  test('authenticate: 20 a minute for each session', async () => {
    const [token, other] = [await merchant.sessionToken(), await merchant.sessionToken()]
    const id = `ddd_${newId()}`
    const counts = await tally(25, '', () => () => payer.authenticate(token, id, {}, from()))
    deepEqual(counts, { 404: 20, 429: 5 })
    equal((await payer.authenticate(other, id, {}, from())).status, 404)
  })

  test('init: 30 a minute for each address, whatever session', async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, () => merchant.sessionToken()))
    const address = from()
    const call = (index: number) => () => payer.init(tokens[index % 5] ?? '', { amount: 1 }, address)
    deepEqual(await tally(35, '', call), { 422: 30, 429: 5 })
    equal((await payer.init(tokens[0] ?? '', { amount: 1 }, from())).status, 422)
  })

  test('tokens that open nothing are 404 and use up nothing of the business', async () => {
    const counts = await tally(30, '', () => () => payer.init('x'.repeat(64), {}, from()))
    deepEqual(counts, { 404: 30 })
  })
})

describe('The defence against card testing', () => {
  const card = (index: number) => withCheckDigit(`42424242424${String(index).padStart(4, '0')}`)

  test('refuses an eleventh card of an address at init, when ten were not authenticated', async () => {
    const address = from()
    bank.onAuthenticate = () => decided('N')
    for (let index = 0; index < 11; index++) {
      const token = await merchant.sessionToken()
      const { status, body } = await payer.init(token, { cardNumber: card(index) }, address)
      if (index === 10) return assertRefusedCards(status, body)
      equal(status, 200)
      assertRefused(await payer.authenticate(token, body.ddd_session_id, {}, address), 400, 'three_ds_failed')
    }
  })

  const assertRefusedCards = (status: number, body: { code: string }) => {
    deepEqual([status, body.code], [429, 'rate_limited'])
  }

  test('refuses a card that five sessions did not authenticate, from any address', async () => {
    bank.onAuthenticate = () => decided('R')
    for (let index = 0; index < 6; index++) {
      const token = await merchant.sessionToken()
      const { status, body } = await payer.init(token, { cardNumber: card(50) }, from())
      if (index === 5) return assertRefusedCards(status, body)
      assertRefused(await payer.authenticate(token, body.ddd_session_id, {}, from()), 400, 'three_ds_failed')
    }
  })

  test('SEC-8, SEC-11: refuses a saved card that was not authenticated five times, and not the same number typed', async () => {
    const cardNumber = card(70)
    await setBusiness(service, { three_ds_enabled: false })
    const { customerId: customer_id, cardId } = await storeCard(service, 'saved@example.com', { cardNumber })
    await setBusiness(service, { three_ds_enabled: true })
    bank.onAuthenticate = () => decided('N')
    const saved = { payment_method_type: 'saved_card', cardId, cardData: undefined }
    for (let index = 0; index < 6; index++) {
      const token = await merchant.sessionToken({ customer_id })
      const { status, body } = await payer.init(token, saved, from())
      if (index === 5) assertRefusedCards(status, body)
      else assertRefused(await payer.authenticate(token, body.ddd_session_id, {}, from()), 400, 'three_ds_failed')
    }
    equal((await payer.init(await merchant.sessionToken(), { cardNumber }, from())).status, 200)
  })

  test('counts neither U nor a failure of the server', async () => {
    for (let index = 0; index < 7; index++) {
      bank.onAuthenticate = () =>
        index % 2 === 0 ? decided('U') : { outcome: 'failed', errorCode: null, component: null, message: 'x' }
      const token = await merchant.sessionToken()
      const { status, body } = await payer.init(token, { cardNumber: card(60) }, from())
      equal(status, 200)
      await payer.authenticate(token, body.ddd_session_id, {}, from())
    }
  })
})

describe('What waits and is too old', () => {
  test('is wiped: the card after 15 minutes, the authentication value 10 minutes after the result', async () => {
    const [begun, left] = [await merchant.sessionToken(), await merchant.sessionToken()]
    const started = (await payer.init(begun, {}, from())).body.ddd_session_id
    const { ddd_session_id: authenticated } = (await payer.init(left, {}, from())).body
    equal((await payer.authenticate(left, authenticated, {}, from())).body.status, 'authenticated')
    const sealed = async () => {
      const rows = await authenticationsOf(service)
      const of = (id: string) => rows.find((row) => `ddd_${row.id}` === id)
      const [card, value] = [of(started), of(authenticated)]
      return [card?.state, card?.sealed_card !== null, value?.state, value?.sealed_value !== null]
    }
    await wipeExpiredAuthentications(service.app.services)
    deepEqual(await sealed(), ['STARTED', true, 'AUTHENTICATED', true])
    clock.advance(10 * 60 + 31)
    await wipeExpiredAuthentications(service.app.services)
    deepEqual(await sealed(), ['STARTED', true, 'EXPIRED', false])
    clock.advance(5 * 60)
    ok((await wipeExpiredAuthentications(service.app.services)) > 0)
    deepEqual(await sealed(), ['EXPIRED', false, 'EXPIRED', false])
    equal(await wipeExpiredAuthentications(service.app.services), 0)
    assertRefused(await payer.pay(left), 408, 'three_ds_expired')
  })

  test('is wiped by the time of its business', async () => {
    const token = await merchant.sessionToken()
    equal((await payer.init(token, {}, from())).status, 200)
    equal(await wipeExpiredAuthentications(service.app.services), 0)
    await setBusiness(service, { clock_offset_seconds: 16 * 60 })
    equal(await wipeExpiredAuthentications(service.app.services), 1)
    await setBusiness(service, { clock_offset_seconds: 0 })
  })

  test('and nothing of it is in a column, or in the log, in clear', async () => {
    const rows = JSON.stringify(await authenticationsOf(service))
    for (const secret of [CARDS.visa, CAVV, 'Ana Roy'])
      deepEqual([rows.includes(secret), service.logged().includes(secret)], [false, false])
  })
})
