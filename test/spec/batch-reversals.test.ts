import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type BatchShop, openBatchShop } from '../support/batch-shop.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { merchantOf, payBody, payerOf, send } from '../support/merchant.ts'
import { setBusiness } from '../support/recorded.ts'
import { resolveAll } from '../support/sign-up.ts'

// REF-93: payments that Rialto reversed automatically in a batch are listed with it, and do not count as a difference.

let shop: BatchShop
let owner: DashboardClient
before(async () => {
  shop = await openBatchShop()
  owner = await signIn(shop.service)
})
after(() => shop[Symbol.asyncDispose]())

const pay = async (card?: string) =>
  payerOf(shop.service).pay(await merchantOf(shop.service).sessionToken(), payBody(card))

async function settled() {
  const { status, body } = await shop.settle()
  equal(status, 200)
  return body.batch.id as string
}
const viewOf = async (id: string) => (await owner.call(`GET /batches/${id}`)).body.view
const figures = (given: Record<string, number>) => ({
  sales_count: 0,
  sales_amount: 0,
  refunds_count: 0,
  refunds_amount: 0,
  voids_count: 0,
  voids_amount: 0,
  net_amount: 0,
  ...given,
})

/** Counts the differences in the log and the metric. */
async function differences(): Promise<number> {
  const logged = shop.service.logged().split('a settled batch differs').length - 1
  const { body } = await send(`${shop.service.operationsUrl}/metrics`)
  const counted = /rialto_payment_outcomes_total\{outcome="batch_differs"\} (\d+)/.exec(String(body))?.[1] ?? 0
  equal(Number(counted), logged)
  return logged
}

describe('Reversals of a settled batch (REF-93)', () => {
  const voids: [what: string, made: () => Promise<unknown>][] = [
    ['a partial approval', () => pay(CARDS.partial)],
    ['an approval whose response was lost', () => pay(CARDS.silentRecorded)],
    [
      'an approval that the policy of security codes refuses',
      async () => {
        await setBusiness(shop.service, { cvv_policy: 'require_match' })
        await pay(CARDS.approvedCvvMismatch)
        await setBusiness(shop.service, { cvv_policy: 'accept' })
      },
    ],
  ]
  for (const [what, made] of voids)
    test(`${what} that was voided does not count`, async () => {
      await pay()
      await made()
      await resolveAll(shop.service)
      const id = await settled()
      const { difference, reversals } = await viewOf(id)
      deepEqual([difference, reversals?.voids_count, reversals?.net_amount], [null, 1, 0])
      equal(await differences(), 0)
      const [listed] = (await owner.call('GET /batches', { query: { status: 'settled' } })).body.data
      deepEqual(listed.view, { difference, reversals })
    })

  test('one that was refunded, because its batch had closed, counts in neither batch', async () => {
    await pay()
    await pay(CARDS.silentRecorded)
    const first = await settled()
    const before = await differences()
    await resolveAll(shop.service)
    const sale = { sales_count: 1, sales_amount: 2_550, net_amount: 2_550 }
    deepEqual(await viewOf(first), { difference: null, reversals: figures(sale) })
    await pay()
    const second = await settled()
    const refund = { refunds_count: 1, refunds_amount: 2_550, net_amount: -2_550 }
    deepEqual(await viewOf(second), { difference: null, reversals: figures(refund) })
    equal(await differences(), before)
  })

  test('a sale that only the gateway has is a difference, and is counted once', async () => {
    await pay()
    await shop.service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'recorded_twice' }] })
    await pay()
    const before = await differences()
    const { difference, reversals } = await viewOf(await settled())
    deepEqual([difference.sales_count, difference.sales_amount, reversals], [-1, -2_550, null])
    equal(await differences(), before + 1)
  })
})
