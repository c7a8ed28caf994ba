import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Cents } from '../../server/lib/money.ts'
import type { Gateways } from '../../server/payments/call-gateway.ts'
import { resolveOperations } from '../../server/payments/recovery/resolve-operations.ts'
import { CARDS } from '../support/card-numbers.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { moneyRows } from '../support/money-rows.ts'
import { setBusiness } from '../support/recorded.ts'
import { fromNow, type Since, sharedService } from '../support/shared-services.ts'
import {
  openServiceWithClock,
  payWithoutResponse,
  resolveAll,
  resolveNext,
  type ServiceWithClock,
} from '../support/silent-gateway.ts'
import { until } from '../support/until.ts'

const ANSWER_SECONDS = 1.5

describe('an approval is reversed', () => {
  const opened = sharedService()

  test('FLT-18: a partial approval is voided, returned as a decline, and counts as an attempt', async () => {
    const service = opened()
    const since = await fromNow(service)
    const token = await merchantOf(service).sessionToken()

    const response = await payerOf(service).pay(token, payBody(CARDS.partial))

    deepEqual([response.body.ok, response.body.code, response.body.attempt_count], [false, 'ND', 1])
    deepEqual(await outcomes(since), ['sale REVERSED', 'reversal_void APPROVED'])
  })

  test('FLT-17: when the void of a partial approval is lost the payer does not wait, and the void is sent again', async () => {
    const service = opened()
    const since = await fromNow(service)
    const token = await merchantOf(service).sessionToken()

    const begun = performance.now()
    const response = await payerOf(service).pay(token, payBody(CARDS.partialVoidLost))
    const seconds = (performance.now() - begun) / 1000
    await resolveAll(service)

    equal(response.body.code, 'ND')
    ok(seconds < 2 * ANSWER_SECONDS, `${seconds} s`)
    deepEqual(await outcomes(since), ['sale REVERSED', 'reversal_void APPROVED'])
  })

  test('FLT-18: an approval that the policy refuses is voided like a part, also when its void is lost', async () => {
    const service = opened()
    const since = await fromNow(service)
    await setBusiness(service, { cvv_policy: 'decline_mismatch' })
    await service.simulator.script({ outcomes: [{ op: 'void', outcome: 'silent_not_recorded' }] })
    const token = await merchantOf(service).sessionToken()

    const begun = performance.now()
    const response = await payerOf(service).pay(token, payBody(CARDS.approvedCvvMismatch))
    const seconds = (performance.now() - begun) / 1000
    await until('the void has no result', async () => (await outcomes(since)).includes('reversal_void IN_DOUBT'))
    deepEqual(await outcomes(since), ['sale REVERSING', 'reversal_void IN_DOUBT'])
    await resolveAll(service)

    deepEqual([response.body.code, response.body.attempt_count, response.body.charged], ['N7', 1, false])
    ok(seconds < 2 * ANSWER_SECONDS, `${seconds} s`)
    deepEqual(await outcomes(since), ['sale REVERSED', 'reversal_void APPROVED'])
    equal((await payerOf(service).pay(token)).body.ok, true)
  })

  test('PAY-29: an approval that comes too late is reversed whatever the policy, and does not count', async () => {
    const service = opened()
    const since = await fromNow(service)
    await setBusiness(service, { cvv_policy: 'decline_mismatch' })
    const token = await merchantOf(service).sessionToken()

    await payWithoutResponse(service, token, CARDS.approvedCvvMismatch)
    await resolveAll(service)

    deepEqual(await outcomes(since), ['sale REVERSED', 'reversal_void APPROVED'])
    equal((await merchantOf(service).details(token)).body.checkout_session.attempt_count, 0)
  })

  test('FLT-17: a void that never gets through is tried until the batch closes; then the sale is refunded', async () => {
    const service = opened()
    const since = await fromNow(service)
    await payWithoutResponse(service, await merchantOf(service).sessionToken(), CARDS.voidsReset)
    for (let round = 0; round < 5; round++) await resolveNext(service)
    deepEqual(await outcomes(since), ['sale REVERSING', 'reversal_void IN_DOUBT'])

    await closeBatch(service)
    await resolveAll(service)

    deepEqual(await outcomes(since), ['sale REVERSED', 'reversal_void DECLINED', 'reversal_refund APPROVED'])
  })

  test('FLT-17: a void that the gateway declines is sent again under a new reference', async () => {
    const service = opened()
    const since = await fromNow(service)
    await service.simulator.script({ outcomes: [{ op: 'void', outcome: 'declined' }] })
    await payerOf(service).pay(await merchantOf(service).sessionToken(), payBody(CARDS.partial))

    await resolveAll(service)

    deepEqual(await outcomes(since), ['sale REVERSED', 'reversal_void DECLINED', 'reversal_void APPROVED'])
  })

  test('FLT-17: a refund whose response is lost is found, and not made twice', async () => {
    const service = opened()
    const since = await fromNow(service)
    await service.simulator.script({ outcomes: [{ op: 'void', outcome: 'silent_not_recorded' }] })
    await payerOf(service).pay(await merchantOf(service).sessionToken(), payBody(CARDS.partial))
    await closeBatch(service)
    await service.simulator.script({ outcomes: [{ op: 'refund', outcome: 'silent_recorded' }] })

    await resolveAll(service)

    deepEqual(await outcomes(since), ['sale REVERSED', 'reversal_void DECLINED', 'reversal_refund APPROVED'])
    deepEqual(await refunds(since), [1530])
  })

  test('FLT-17: a refund that is lost on the way is sent again once it can no longer arrive', async () => {
    const service = opened()
    const since = await fromNow(service)
    await service.simulator.script({ outcomes: [{ op: 'void', outcome: 'silent_not_recorded' }] })
    await payerOf(service).pay(await merchantOf(service).sessionToken(), payBody(CARDS.partial))
    await closeBatch(service)
    await service.simulator.script({ outcomes: [{ op: 'refund', outcome: 'silent_not_recorded', times: 2 }] })

    const sent = await sentRefundsAt(service, since)

    deepEqual(await refunds(since), [1530])
    equal(sent.length, 3)
    // 15 s to send it and 120 s for its arrival, at this test's scale.
    for (const [index, at] of sent.slice(1).entries()) ok(at - (sent[index] ?? 0) >= 13.5, `${sent}`)
  })

  test('FLT-18: of a partial approval of nothing, nothing is refunded when its void came after the settlement', async () => {
    // Its books are not sound: the gateway has a part, and says that it has nothing.
    await using service = await openServiceWithClock()
    const since = await fromNow(service)
    await service.simulator.script({ outcomes: [{ op: 'void', outcome: 'silent_not_recorded' }] })
    await payerOf(service).pay(await merchantOf(service).sessionToken(), payBody(CARDS.partial))
    await closeBatch(service)

    await using book = moneyRows(service.databaseUrl)
    for (let tries = 0; tries < 10 && (await book.countOpen()) > 0; tries++) {
      service.clock.advance(60)
      await resolveOperations({ ...service.app.services, gateways: approvingNothing(service) })
    }

    deepEqual(await outcomes(since), ['sale REVERSED', 'reversal_void APPROVED'])
    deepEqual(await refunds(since), [])
  })
})

/** Returns the service's gateway, whose inquiries return nothing approved for a partial approval. */
function approvingNothing({ app }: ServiceWithClock): Gateways {
  const gateway = app.services.gateways('simulator')
  return () => ({
    ...gateway,
    async inquire(request) {
      const finding = await gateway.inquire(request)
      if (finding.found !== true || finding.transaction.state !== 'partial') return finding
      return { found: true, transaction: { ...finding.transaction, approvedAmount: 0 as Cents } }
    },
  })
}

/** Resolves everything, and notes at which second of the service's clock each refund was sent. */
async function sentRefundsAt(service: ServiceWithClock, since: Since): Promise<number[]> {
  await using book = moneyRows(service.databaseUrl)
  const sent: number[] = []
  while ((await book.countOpen()) > 0 && sent.length < 10) {
    const before = service.clock.now().getTime() / 1000
    await resolveNext(service)
    const seen = (await since.rows()).filter(({ op }) => op === 'refund').length
    if (seen > sent.length) sent.push(before)
  }
  return sent
}

async function closeBatch(service: ServiceWithClock): Promise<void> {
  const [row] = await service.simulator.rows()
  if (!row) throw new Error('No sale whose batch could be settled')
  await service.simulator.settle(row.terminal, row.currency)
}

/** Returns the states in the order in which the operations began. */
const outcomes = async (since: Since) => (await since.operations()).map(({ kind, state }) => `${kind} ${state}`)

const refunds = async (since: Since) => (await since.recordedRows('refund')).map(({ approvedAmount }) => approvedAmount)
