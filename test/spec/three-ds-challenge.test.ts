import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { inquireOpenChallenges } from '../../server/checkout/three-ds/inquire-open-challenges.ts'
import { verdict } from '../support/fake-three-ds-server.ts'
import { assertRefused } from '../support/refusal.ts'
import { openThreeDsBusiness, type ThreeDsBusiness, TIME_SCALE } from '../support/three-ds-business.ts'

// TDS-7, TDS-9, TDS-11, TDS-22.

let business: ThreeDsBusiness
before(async () => {
  business = await openThreeDsBusiness()
})
after(() => business[Symbol.asyncDispose]())
beforeEach(() => business.bank.reset())

describe('A challenge', () => {
  test('is named until the browser has opened it, then in progress; the result is the server’s', async () => {
    const { token, id, body } = await business.challenged()
    const { start_before, ...rest } = body.challenge
    equal(Math.abs(Date.parse(start_before) - business.clock.now().getTime() - 30_000) < 20_000, true)
    const url = `${business.service.formUrl}/customer/ddd/challenge/${id}`
    deepEqual(rest, { url, window_size: '02', timeout_ms: 600_000 })
    equal((await business.payer.authenticate(token, id)).body.status, 'challenge_required')
    await business.mark(id, { challenge_opened_at: business.clock.now() })
    const waiting = await business.payer.authenticate(token, id)
    deepEqual(waiting.body, { ok: true, status: 'challenge_in_progress', retry_after_ms: 3_500 * TIME_SCALE })
    equal(business.bank.inquiries, 1)
    business.clock.advance(10 * TIME_SCALE)
    business.bank.onInquiry = () => ({ outcome: 'decided', ...verdict('Y', { dsTransactionId: null }) })
    await business.mark(id, { challenge_returned_at: business.clock.now() })
    const done = await business.payer.authenticate(token, id)
    deepEqual([done.body.status, done.body.trans_status], ['authenticated', 'Y'])
    match(done.body.ds_trans_id, /^[0-9a-f-]{36}$/)
    equal(business.bank.inquiries, 2)
  })

  test('that fails counts once, however many ask at the same time', async () => {
    const { token, id } = await business.challenged()
    business.bank.onInquiry = () => ({ outcome: 'decided', ...verdict('N') })
    await business.mark(id, { challenge_opened_at: business.clock.now(), challenge_returned_at: business.clock.now() })
    await Promise.all(Array.from({ length: 5 }, () => business.payer.authenticate(token, id)))
    const response = await business.payer.authenticate(token, id)
    assertRefused(response, 400, 'three_ds_failed')
    deepEqual([response.body.trans_status, response.body.attempt_count], ['N', 1])
    equal(await business.attemptsOf(token), 1)
  })

  test('that is not opened within 30 seconds is 408', async () => {
    const { token, id } = await business.challenged()
    business.clock.advance(29)
    equal((await business.payer.authenticate(token, id)).status, 200)
    business.clock.advance(2)
    for (const _ of [1, 2]) assertRefused(await business.payer.authenticate(token, id), 408, 'three_ds_expired')
    equal(await business.attemptsOf(token), 0)
  })

  test('that does not come back within ten minutes is 408', async () => {
    const { token, id } = await business.challenged()
    await business.mark(id, { challenge_opened_at: business.clock.now() })
    business.clock.advance(598)
    equal((await business.payer.authenticate(token, id)).status, 200)
    business.clock.advance(3)
    for (const _ of [1, 2]) assertRefused(await business.payer.authenticate(token, id), 408, 'three_ds_expired')
    equal(business.bank.inquiries, 1)
  })

  for (const transStatus of ['Y', 'A', 'N', 'U'] as const) {
    test(`whose result is ${transStatus} while the payer is still at the bank keeps it, however late they return (TDS-7)`, async () => {
      const { token, id } = await business.challenged()
      await business.mark(id, { challenge_opened_at: business.clock.now() })
      business.clock.advance(100)
      business.bank.onInquiry = () => ({ outcome: 'decided', ...verdict(transStatus) })
      const early = await business.payer.authenticate(token, id)
      // The server has forgotten it by now.
      business.bank.onInquiry = () => ({ outcome: 'pending' })
      business.clock.advance(450)
      const late = await business.payer.authenticate(token, id)
      deepEqual([late.status, late.body.trans_status], [early.status, transStatus])
      equal(late.status, transStatus === 'Y' || transStatus === 'A' ? 200 : 400)
      equal(await business.attemptsOf(token), transStatus === 'N' ? 1 : 0)
    })

    test(`whose page is asleep at the result ${transStatus} has it when it wakes up (TDS-7)`, async () => {
      const { token, id } = await business.challenged()
      await business.mark(id, { challenge_opened_at: business.clock.now() })
      business.bank.onInquiry = () => ({ outcome: 'decided', ...verdict(transStatus) })
      const { services } = business.service.app
      await inquireOpenChallenges(services)
      equal(business.bank.inquiries, 0)
      business.clock.advance(60)
      await Promise.all([inquireOpenChallenges(services), inquireOpenChallenges(services)])
      business.bank.onInquiry = () => ({ outcome: 'pending' })
      business.clock.advance(500)
      const { status, body } = await business.payer.authenticate(token, id)
      deepEqual([status, body.trans_status], [transStatus === 'Y' || transStatus === 'A' ? 200 : 400, transStatus])
      equal(await business.attemptsOf(token), transStatus === 'N' ? 1 : 0)
    })
  }

  test('that nobody came back from is ended, and asked for no more', async () => {
    const { token, id } = await business.challenged()
    await business.mark(id, { challenge_opened_at: business.clock.now() })
    business.clock.advance(15 * 60 + 301)
    await inquireOpenChallenges(business.service.app.services)
    assertRefused(await business.payer.authenticate(token, id), 408, 'three_ds_expired')
    equal(business.bank.inquiries, 0)
  })

  test('whose result does not arrive is asked for again, and is 502 after 30 seconds', async () => {
    const { token, id } = await business.challenged()
    await business.mark(id, { challenge_opened_at: business.clock.now(), challenge_returned_at: business.clock.now() })
    equal((await business.payer.authenticate(token, id)).body.status, 'challenge_in_progress')
    business.clock.advance(10 * TIME_SCALE)
    business.bank.onInquiry = () => ({ outcome: 'failed', errorCode: null, component: 'S', message: 'away' })
    equal((await business.payer.authenticate(token, id)).body.status, 'challenge_in_progress')
    business.clock.advance(21 * TIME_SCALE)
    for (const _ of [1, 2]) assertRefused(await business.payer.authenticate(token, id), 502, 'three_ds_server_error')
    equal(business.bank.inquiries, 3)
    equal(await business.attemptsOf(token), 0)
  })

  test('whose browser comes back long before the result: it is asked for every four seconds, and counts when it arrives', async () => {
    const { token, id } = await business.challenged()
    await business.mark(id, { challenge_opened_at: business.clock.now(), challenge_returned_at: business.clock.now() })
    business.clock.advance(20 * TIME_SCALE)
    const { body } = await business.payer.authenticate(token, id)
    deepEqual([body.status, business.bank.inquiries], ['challenge_in_progress', 1])
    ok(body.retry_after_ms <= 4_000 * TIME_SCALE, `${body.retry_after_ms} ms`)
    business.bank.onInquiry = () => ({ outcome: 'decided', ...verdict('Y') })
    business.clock.advance(4 * TIME_SCALE)
    equal((await business.payer.authenticate(token, id)).body.status, 'authenticated')
  })

  test('that the payer cancels is N with reason 26 after three seconds, and counts', async () => {
    const { token, id } = await business.challenged()
    await business.mark(id, { challenge_opened_at: business.clock.now() })
    const canceled = await business.payer.authenticate(token, id, { challenge_canceled: true })
    deepEqual([canceled.body.status, canceled.body.retry_after_ms], ['challenge_in_progress', 3_000 * TIME_SCALE])
    business.clock.advance(4 * TIME_SCALE)
    for (const _ of [1, 2]) {
      const response = await business.payer.authenticate(token, id)
      assertRefused(response, 400, 'three_ds_failed')
      const { trans_status, trans_status_reason, attempt_count } = response.body
      deepEqual([trans_status, trans_status_reason, attempt_count], ['N', '26', 1])
    }
  })

  test('a result that arrives after the payer canceled counts as it is', async () => {
    const { token, id } = await business.challenged()
    business.bank.onInquiry = () => ({ outcome: 'decided', ...verdict('Y') })
    const { body } = await business.payer.authenticate(token, id, { challenge_canceled: true })
    equal(body.status, 'authenticated')
  })

  test('is ended by a newer authentication of the session', async () => {
    const { token, id } = await business.challenged()
    business.bank.reset()
    equal(await business.payer.authenticated(token).then((newer) => newer !== id), true)
    business.bank.onInquiry = () => ({ outcome: 'decided', ...verdict('Y') })
    assertRefused(await business.payer.authenticate(token, id), 408, 'three_ds_expired')
  })
})
