import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { fromNow, sharedService } from '../support/shared-services.ts'
import { resolveAll, type ServiceWithClock } from '../support/silent-gateway.ts'

/** Cards whose response cannot be used, and the state of the sale once it is resolved. */
const UNUSABLE: [card: string, what: string, ends: 'REVERSED' | 'NOT_CHARGED'][] = [
  [CARDS.resetNotRecorded, 'a reset before anything is recorded', 'NOT_CHARGED'],
  [CARDS.resetRecorded, 'a reset after the approval', 'REVERSED'],
  [CARDS.halfResponse, 'half of an approval, then a reset', 'REVERSED'],
  [CARDS.http500, 'HTTP 500, nothing recorded', 'NOT_CHARGED'],
  [CARDS.http503, 'HTTP 503, approved', 'REVERSED'],
  [CARDS.garbled, 'garbled JSON, approved', 'REVERSED'],
  [CARDS.signInPage, 'an HTML page, approved', 'REVERSED'],
  [CARDS.duplicate, '"duplicate", nothing recorded', 'NOT_CHARGED'],
  [CARDS.withoutReference, 'an approval without a reference', 'REVERSED'],
]

/** Responses of a script, with nothing recorded behind them. */
const MISLEADING: [what: string, body: object | string][] = [
  ['an unknown code', { outcome: 'approved', code: 'ZZ', gatewayRef: 'X1', approvedAmount: 2550 }],
  ['an unknown outcome', { outcome: 'accepted', code: 'AA', gatewayRef: 'X1', approvedAmount: 2550 }],
  ['more than was asked for', { outcome: 'approved', code: 'AA', gatewayRef: 'X1', approvedAmount: 255_000 }],
  ['no amount', { outcome: 'approved', code: 'AA', gatewayRef: 'X1' }],
  ['an amount in words', { outcome: 'approved', code: 'AA', gatewayRef: 'X1', approvedAmount: '2550' }],
  ['a decline with the code of an approval', { outcome: 'declined', code: 'AA', gatewayRef: 'X1' }],
  ['nothing', ''],
  ['null', 'null'],
]

describe('the gateway sends a wrong response', () => {
  const opened = sharedService()

  test('FLT-8, FLT-10: a response that cannot be used is unknown: 400, no attempt, resolved, never charged', async () => {
    const service = opened()
    const since = await fromNow(service)
    for (const [card, what] of UNUSABLE) {
      const response = await payOnce(service, card)
      deepEqual([response.status, response.body.code], [400, 'gateway_timeout'], what)
    }
    await resolveAll(service)

    const states = (await since.states('sale')).map((state, index) => [UNUSABLE[index]?.[1], state])
    deepEqual(
      states,
      UNUSABLE.map(([, what, ends]) => [what, ends]),
    )
  })

  test('FLT-8: a reset on a connection that was used before is unknown, never "not sent"', async () => {
    const service = opened()
    equal((await payOnce(service)).body.result.code, 'AA')
    equal((await payOnce(service, CARDS.resetRecorded)).body.code, 'gateway_timeout')
    await resolveAll(service)
  })

  test('FLT-9: a gateway that cannot be reached is a 400, nothing is sent or counted, and the payer tries again', async () => {
    const service = opened()
    const since = await fromNow(service)
    const token = await merchantOf(service).sessionToken()

    const response = await service.whileGatewayAway(() => payerOf(service).pay(token))
    deepEqual([response.status, response.body.code, response.body.charged], [400, 'gateway_unavailable', false])
    deepEqual(await since.states(), ['NOT_SENT'])
    equal((await merchantOf(service).details(token)).body.checkout_session.attempt_count, 0)
    deepEqual(await since.rows(), [])
    equal((await payerOf(service).pay(token)).body.result.code, 'AA')
  })

  test('FLT-10: a wrong response is never an approval', async () => {
    const service = opened()
    for (const [what, body] of MISLEADING) {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      await service.simulator.script({ outcomes: [{ op: 'sale', raw: { status: 200, body: text, recorded: false } }] })
      equal((await payOnce(service)).body.code, 'gateway_timeout', what)
    }
    await resolveAll(service)
  })

  test('FLT-10: an approval of less than the amount is a partial approval, whatever the gateway calls it, and is voided', async () => {
    const service = opened()
    const since = await fromNow(service)
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'partial_called_approved' }] })

    const response = await payOnce(service)

    deepEqual([response.body.ok, response.body.code], [false, 'ND'])
    await resolveAll(service)
    ok((await since.operations()).some(({ kind, state }) => kind === 'reversal_void' && state === 'APPROVED'))
  })
})

/** Pays on a new session. */
async function payOnce(service: ServiceWithClock, card?: string) {
  return payerOf(service).pay(await merchantOf(service).sessionToken(), payBody(card))
}
