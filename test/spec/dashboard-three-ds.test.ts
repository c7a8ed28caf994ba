import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TimelineEntry } from '../../contract/dashboard/timeline.ts'
import { authenticated, type MadeAuthentication, requireThreeDs } from '../support/authentication.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// 3-D Secure in the dashboard: how the payer was authenticated, and what was tried (TDS-4).

let service: TestService
let owner: DashboardClient
let token = ''
let used: MadeAuthentication
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service)
  await requireThreeDs(service)
  token = await merchantOf(service).sessionToken()
  const failed = { state: 'FAILED', trans_status: 'N', eci: '07', ds_transaction_id: null } as const
  await authenticated(service, { token, row: failed })
  used = await authenticated(service, {
    token,
    number: CARDS.mastercard,
    row: { challenged_at: new Date(), acs_transaction_id: 'acs-1' },
  })
  const { status, body } = await payerOf(service).pay(token, payBody(CARDS.mastercard))
  equal(status, 200, JSON.stringify(body))
})
after(() => service.close())

const paymentOf = async (client = owner) => {
  const [row] = (await client.call('GET /payments')).body.data
  return (await client.call(`GET /payments/${row.id}`)).body
}

describe('3-D Secure in the dashboard', () => {
  test('a payment has the authentication that it used, for every role', async () => {
    for (const role of ['owner', 'analyst', 'support', 'developer'] as const) {
      const { authentication, source } = await paymentOf(await signIn(service, { role }))
      const { created, decided_at, server_transaction_id, ...shown } = authentication
      ok(created > 0 && decided_at > 0 && server_transaction_id)
      equal(source, 'new_card')
      deepEqual(shown, {
        id: used.id,
        status: 'used',
        trans_status: 'Y',
        eci: '02',
        liability_shift: true,
        with_challenge: true,
        message_version: '2.2.0',
        ds_transaction_id: used.dsTransactionId,
        acs_transaction_id: 'acs-1',
        amount: 2_550,
      })
    }
  })

  test('the timeline has it before the sale', async () => {
    const { id } = await paymentOf()
    const { data } = (await owner.call(`GET /payments/${id}/timeline`)).body
    const [first, second] = data as TimelineEntry[]
    deepEqual([first?.type, second?.type], ['authentication', 'operation'])
    ok(first?.type === 'authentication')
    deepEqual([first.id, first.trans_status, first.with_challenge], [used.id, 'Y', true])
  })

  test('the session has all that were tried', async () => {
    const { session } = await paymentOf()
    const { view } = (await owner.call(`GET /checkout_sessions/${session}`)).body
    deepEqual(
      view.authentications.map((one: Record<string, unknown>) => [one.status, one.trans_status, one.liability_shift]),
      [
        ['failed', 'N', false],
        ['used', 'Y', true],
      ],
    )
    equal(JSON.stringify(view).includes(used.cavv), false)
  })

  test('a payment without 3-D Secure has none, and nobody sees those of another business', async () => {
    await requireThreeDs(service, 10_000)
    const plain = await merchantOf(service).sessionToken()
    equal((await payerOf(service).pay(plain, payBody(CARDS.visa))).status, 200)
    equal((await paymentOf()).authentication, null)
    const other = await secondMerchant(service)
    const stranger = await signIn(service, { businessId: other.demo.business_id })
    deepEqual((await stranger.call('GET /payments')).body.data, [])
  })
})
