import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { eventsOf } from '../support/recorded.ts'
import { assertCommonHeaders, assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// CHK-42, CHK-45: the exact results; GTW-10 to GTW-16, each with its test card.

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
before(async () => {
  service = await openService()
  callInProcess(service)
  // The worker resolves unknown outcomes.
  await service.app.startWorker()
  merchant = merchantOf(service)
  payer = payerOf(service)
})
after(() => service.close())

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const attemptsOf = async (token: string) => (await merchant.details(token)).body.checkout_session.attempt_count

test('the success result has the documented members, each of its kind', async () => {
  const token = await merchant.sessionToken()
  const response = await payer.pay(token)
  equal(response.status, 200)
  assertCommonHeaders(response)
  const { ok, message, result, success_url, ...more } = response.body
  deepEqual({ ok, more }, { ok: true, more: {} })
  equal(message, 'Payment approved')
  const { code, recordID, receiptID, ...other } = result
  deepEqual({ code, other }, { code: 'AA', other: {} })
  match(recordID, UUID)
  match(receiptID, /^\S+$/)
  equal(success_url, `https://shop.example/thanks?session_token=${token}&session_id=${token}`)
})

test('the failure result has the documented members, and code and charged show that nothing was charged', async () => {
  const token = await merchant.sessionToken()
  const response = await payer.pay(token, payBody(CARDS.declined))
  equal(response.status, 200)
  assertCommonHeaders(response)
  const { message, ...rest } = response.body
  match(message, /\S/)
  deepEqual(rest, {
    ok: false,
    code: 'ND',
    attempt_count: 1,
    max_attempts: 3,
    cancel_url: `https://shop.example/cart?session_token=${token}&session_id=${token}`,
    charged: false,
  })
})

test('each payment has its own recordID and receiptID', async () => {
  const one = (await payer.pay(await merchant.sessionToken())).body.result
  const two = (await payer.pay(await merchant.sessionToken())).body.result
  notEqual(one.recordID, two.recordID)
  notEqual(one.receiptID, two.receiptID)
})

describe('return URLs: the token is merged into the query; what was there is kept, the fragment too', () => {
  const merged: [path: string, expected: string][] = [
    ['', '/?T'],
    ['/', '/?T'],
    ['/a', '/a?T'],
    ['/a?', '/a?T'],
    ['/a?b=c', '/a?b=c&T'],
    ['/a?b=c&b=d&e=', '/a?b=c&b=d&e=&T'],
    ['/a#top', '/a?T#top'],
    ['/a?b=c#/route?x=y', '/a?b=c&T#/route?x=y'],
    ['/a?session_token=old&b=c', '/a?b=c&T'],
    ['/a?session_id=1&session_id=2', '/a?T'],
    ['/a?session%5Fid=1&my_session_id=2', '/a?my_session_id=2&T'],
    ['/a?q=%20a+b&flag&sig=a/b%2Bc=&%zz', '/a?q=%20a+b&flag&sig=a/b%2Bc=&%zz&T'],
    ['/a?next=https%3A%2F%2Fx.example%2F%3Fy%26z', '/a?next=https%3A%2F%2Fx.example%2F%3Fy%26z&T'],
    ['/%E8%B0%A2?q=%26', '/%E8%B0%A2?q=%26&T'],
  ]
  for (const [path, expected] of merged) {
    test(`https://shop.example${path}`, async () => {
      const url = `https://shop.example${path}`
      const token = await merchant.sessionToken({ success_url: url, cancel_url: url })
      const wanted = `https://shop.example${expected}`
        .replace('T', expected.includes('TOKEN') ? 'T' : 'session_token=TOKEN&session_id=TOKEN')
        .replaceAll('TOKEN', token)
      equal((await payer.pay(token, payBody(CARDS.declined))).body.cancel_url, wanted)
      equal((await payer.pay(token)).body.success_url, wanted)
    })
  }
})

describe('transaction result codes', () => {
  const declines: [code: string, card: string, meaning: string][] = [
    ['AP', CARDS.partial, 'partial approval'],
    ['AC', '4000990000000202', 'partial approval (alternate)'],
    ['NC', '4000990000000608', 'pick up card'],
    ['NC', '4000000000009987', 'lost card'],
    ['NC', '4000000000009979', 'stolen card'],
    ['ND', CARDS.declined, 'standard decline'],
    ['ND', '4000000000009995', 'insufficient funds'],
    ['NF', '4000990000000301', 'record not found'],
    ['NR', '4000990000000400', 'referral'],
    ['N7', CARDS.cvvMismatch, 'CVV2/AVS verification failed'],
    ['N7', '4000000000000127', 'CVV mismatch'],
  ]
  for (const [code, card, meaning] of declines) {
    test(`${code} (${meaning}): declined, one attempt, and the session can be paid again`, async () => {
      const token = await merchant.sessionToken()
      const { status, body } = await payer.pay(token, payBody(card))
      const told = code === 'N7' ? 'N7' : 'ND'
      deepEqual([status, body.ok, body.code, body.attempt_count, body.charged], [200, false, told, 1, false])
      const { checkout_session, transaction } = (await merchant.details(token)).body
      deepEqual([checkout_session.session_status, checkout_session.payment_status], ['PENDING', 'UNPAID'])
      equal(transaction, null)
      equal(checkout_session.last_decline.code, code)
      equal((await payer.pay(token)).body.ok, true)
    })
  }

  test('in public all declines are alike, but the one that the payer can put right', async () => {
    const told = new Set<string>()
    for (const [code, card] of declines) {
      const token = await merchant.sessionToken()
      const { body } = await payer.pay(token, payBody(card))
      const { message: words } = (await merchant.details(token)).body.checkout_session.last_decline
      ok(words.length > 0 && body.message !== words, words)
      told.add(`${code === 'N7'} ${body.code} ${body.message}`)
      const page = `${service.formUrl}/customer/checkout/${token}`
      const fields = { cardnumber: card, exp: '12/31', cvc: '123', ccname: 'Ana Roy', postal: '10001', country: 'US' }
      const posted = await fetch(page, { method: 'POST', body: new URLSearchParams(fields) })
      const shown = [body, await posted.text(), (await payer.validate(token)).body, (await payer.data(token)).body]
      // Some issuers say no more than that.
      if (words !== 'DECLINED') ok(!JSON.stringify(shown).toLowerCase().includes(words.toLowerCase()), words)
      if (code !== 'ND' && code !== 'N7') ok(!new RegExp(`\\b${code}\\b`).test(JSON.stringify(body)), code)
    }
    deepEqual([...told].sort(), [
      'false ND The card was declined. Check the details, use a different card or contact your bank.',
      'true N7 The security code or the address does not match. Check both and try again.',
    ])
  })

  test('the event of the closed session has the reason of the gateway', async () => {
    const token = await merchant.sessionToken()
    for (let tried = 0; tried < 3; tried++) await payer.pay(token, payBody('4000000000009979'))
    const { id, last_decline } = (await merchant.details(token)).body.checkout_session
    const [event] = (await eventsOf(service, id)).filter(({ type }) => type === 'checkout.session.failed')
    equal(last_decline.code, 'NC')
    deepEqual(event?.data.object.last_decline, last_decline)
    equal((await payer.validate(token)).body.last_decline, undefined)
  })

  for (const card of [CARDS.partial, '4000990000000202']) {
    test(`a partial approval of ${card} is voided automatically: nothing stays on the card`, async () => {
      const earlier = (await service.simulator.rows()).length
      await payer.pay(await merchant.sessionToken(), payBody(card))
      const rows = (await service.simulator.rows()).slice(earlier)
      deepEqual(
        rows.map(({ op, approvedAmount, state }) => [op, approvedAmount, op === 'sale' ? state : null]),
        [
          ['sale', 1530, 'voided'],
          ['void', 1530, null],
        ],
      )
    })
  }

  test('AA: approved; recordID, receiptID and issuer_reference are kept', async () => {
    const token = await merchant.sessionToken()
    const { result } = (await payer.pay(token, payBody(CARDS.visa))).body
    equal(result.code, 'AA')
    const { transaction } = (await merchant.details(token)).body
    const row = (await service.simulator.rows()).at(-1)
    deepEqual(
      [transaction.code, transaction.transactionID, transaction.receiptID, transaction.details.issuer_reference],
      ['AA', result.recordID, result.receiptID, row?.issuerReference],
    )
    equal(row?.approvedAmount, 2550)
  })

  test('an address that does not match changes nothing of an approval', async () => {
    for (const card of ['4000000000000010', '4000000000000028', '4000000000000036', '4000000000000044']) {
      equal((await payer.pay(await merchant.sessionToken(), payBody(card))).body.result?.code, 'AA')
    }
  })
})

describe('no response of the gateway', () => {
  const unanswered = {
    'silence, nothing recorded': CARDS.silentNotRecorded,
    'silence, recorded': CARDS.silentRecorded,
    'a reset, recorded': CARDS.resetRecorded,
    'half a response': CARDS.halfResponse,
    'garbled JSON': CARDS.garbled,
    'an HTML page': CARDS.signInPage,
  }
  for (const [name, card] of Object.entries(unanswered)) {
    test(`${name}: 400 gateway_timeout, charged: null, no attempt`, async () => {
      const token = await merchant.sessionToken()
      const response = await payer.pay(token, payBody(card))
      assertRefused(response, 400, 'gateway_timeout')
      equal(response.body.charged, null)
      equal(await attemptsOf(token), 0)
    })
  }

  test('until the outcome is known, the session accepts no payment and no cancel', async () => {
    const token = await merchant.sessionToken()
    // Not recorded: this is only certain after the gateway has returned "not found" for two minutes.
    assertRefused(await payer.pay(token, payBody(CARDS.silentNotRecorded)), 400, 'gateway_timeout')
    equal((await payer.validate(token)).body.payment_in_progress, true)
    assertRefused(await payer.pay(token), 400, 'payment_in_progress')
    const cancel = await merchant.cancel(token)
    assertRefused(cancel, 400, 'payment_in_progress')
    equal(cancel.body.charged, null)
    equal((await merchant.details(token)).body.status, 'PENDING')
  })

  test('the 15 seconds are kept: answered at once after them', async () => {
    const from = performance.now()
    await payer.pay(await merchant.sessionToken(), payBody(CARDS.silentNotRecorded))
    const seconds = (performance.now() - from) / 50
    equal(seconds >= 15 && seconds < 200, true, `${seconds} s`)
  })

  test('a gateway that is away: 400, charged: false, no attempt, and the session can be paid again', async () => {
    const token = await merchant.sessionToken()
    const response = await service.whileGatewayAway(() => payer.pay(token))
    assertRefused(response, 400, 'gateway_unavailable')
    equal(response.body.charged, false)
    equal((await payer.pay(token)).body.ok, true)
    equal(await attemptsOf(token), 0)
  })
})
