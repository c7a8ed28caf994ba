import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { waitingSubscription } from '../support/sign-up.ts'

let service: TestService
let owner: DashboardClient
let api: MerchantApiClient
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service)
  api = merchantApiOf(service)
})
after(() => service.close())

interface Hit {
  kind: string
  id: string
  title: string | null
}

async function hits(q: string, kind: string): Promise<Hit[]> {
  const { body } = await owner.call('GET /search', { query: { q } })
  deepEqual([body.shape, body.is_cut], ['text', false])
  return (body.data as Hit[]).filter((hit) => hit.kind === kind)
}
const idsOf = async (q: string, kind: string) => (await hits(q, kind)).map(({ id }) => id)

describe('The search finds by text', () => {
  test('a subscription by a part of its reference, as it is now, and by what is sold', async () => {
    const made = await waitingSubscription(api)
    const refer = async (reference: string) => {
      const { version } = (await owner.call(`GET /subscriptions/${made.id}`)).body
      const { status } = await owner.call(`PATCH /subscriptions/${made.id}`, { body: { version, reference } })
      equal(status, 200)
    }
    await refer('Berth-1207')
    deepEqual(await idsOf('RTH-120', 'subscription'), [made.id])
    equal((await hits('berth-1207', 'subscription'))[0]?.title?.endsWith(' · Berth-1207'), true)
    await refer('Slip-8')
    deepEqual(await idsOf('berth-1207', 'subscription'), [])
    deepEqual(await idsOf('slip-8', 'subscription'), [made.id])
    deepEqual(await idsOf('gold pl', 'subscription'), [made.id])
  })

  test('a contract by its title, and by its customer', async () => {
    const { id: customer } = await api.made('/customers', { name: 'Maude Gagnon' })
    const { body } = await owner.call('POST /contracts', {
      body: { customer, title: 'Winter storage 2027', text: 'I agree.' },
    })
    deepEqual(await hits('storage 20', 'contract').then((found) => found.map(({ id, title }) => [id, title])), [
      [body.id, 'Winter storage 2027'],
    ])
    deepEqual(await idsOf('gagnon', 'contract'), [body.id])
    deepEqual(await idsOf('winter gagnon', 'contract'), [])
  })
})
