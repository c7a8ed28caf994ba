import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { storeCard } from '../support/stored-card.ts'

// API-10 to API-12: every list of the merchant API.

interface Listed {
  id: string
  created: number
}

let service: TestService
before(async () => {
  service = await openService()
  callInProcess(service)
})
after(() => service.close())

/** Creates an empty business, so that a test knows all rows. */
async function emptyBusiness(): Promise<MerchantApiClient> {
  return merchantApiOf({ ...service, demo: (await secondMerchant(service)).demo })
}

const listOf = async (api: MerchantApiClient, path: string): Promise<{ data: Listed[]; has_more: boolean }> => {
  const { status, body } = await api.get(path)
  equal(status, 200, JSON.stringify(body))
  equal(body.object, 'list')
  return body
}
const idsOf = ({ data }: { data: Listed[] }) => data.map(({ id }) => id)

/** Reads pages from the newest object to the oldest. */
async function walkDown(
  api: MerchantApiClient,
  path: string,
  limit: number,
  between = async () => {},
): Promise<string[]> {
  const seen: string[] = []
  for (let cursor = ''; ; cursor = `&starting_after=${seen.at(-1)}`) {
    const page = await listOf(api, `${path}limit=${limit}${cursor}`)
    seen.push(...idsOf(page))
    equal(page.data.length === limit || !page.has_more, true, 'a page with more behind it is full')
    if (!page.has_more) return seen
    await between()
  }
}

/** Reads pages from an object to the newest. */
async function walkUp(api: MerchantApiClient, path: string, limit: number, from: string): Promise<string[]> {
  const seen: string[] = []
  for (let cursor = from; ; cursor = seen[0] ?? from) {
    const page = await listOf(api, `${path}limit=${limit}&ending_before=${cursor}`)
    seen.unshift(...idsOf(page))
    if (!page.has_more) return seen
  }
}

/** Each kind of list, and how to add an object to it. */
const LISTS: { path: string; add: (api: MerchantApiClient) => Promise<Listed> }[] = [
  { path: '/customers?', add: (api) => api.made('/customers', { name: 'Ana' }) },
  { path: '/products?', add: (api) => api.made('/products', { name: 'Gold' }) },
  { path: '/products?active=true&', add: (api) => api.made('/products', { name: 'Gold' }) },
  { path: '/prices?', add: addPrice },
  { path: '/prices?active=false&', add: (api) => addPrice(api, { active: false }) },
]

async function addPrice(api: MerchantApiClient, more: object = {}): Promise<Listed> {
  const { id } = await api.made('/products', { name: 'Gold' })
  return api.made('/prices', { product: id, unit_amount: 100, ...more })
}

for (const { path, add } of LISTS) {
  describe(`GET ${path}`, () => {
    test('10 at a time by default, newest first, with an exact has_more', async () => {
      const api = await emptyBusiness()
      deepEqual(await listOf(api, path), { object: 'list', data: [], has_more: false })
      const ids: string[] = []
      for (let n = 0; n < 10; n++) ids.unshift((await add(api)).id)
      deepEqual(idsOf(await listOf(api, path)), ids)
      deepEqual(idsOf(await listOf(api, `${path}limit=&starting_after=&ending_before=`)), ids)
      equal((await listOf(api, path)).has_more, false)
      ids.unshift((await add(api)).id)
      const page = await listOf(api, path)
      deepEqual([idsOf(page), page.has_more], [ids.slice(0, 10), true])
      const last = await listOf(api, `${path}starting_after=${ids[9]}`)
      deepEqual([idsOf(last), last.has_more], [ids.slice(10), false])
      const beyond = await listOf(api, `${path}starting_after=${ids[10]}`)
      deepEqual([idsOf(beyond), beyond.has_more], [[], false])
      const newer = await listOf(api, `${path}limit=2&ending_before=${ids[5]}`)
      deepEqual([idsOf(newer), newer.has_more], [ids.slice(3, 5), true])
      const newest = await listOf(api, `${path}ending_before=${ids[3]}`)
      deepEqual([idsOf(newest), newest.has_more], [ids.slice(0, 3), false])
      equal((await listOf(api, `${path}ending_before=${ids[0]}`)).has_more, false)
    })

    const refused: [query: string, param: string][] = [
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['limit=-1', 'limit'],
      ['limit=1000000000', 'limit'],
      ['limit=ten', 'limit'],
      ['limit=1.5', 'limit'],
      ['limit=0x10', 'limit'],
      ['limit=1e1', 'limit'],
      ['limit=05', 'limit'],
      ['limit=%2B5', 'limit'],
      ['limit=1e309', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['starting_after=x', 'starting_after'],
      ['ending_before=0199a3f1-0a28-7b21-9c04-000000000000', 'ending_before'],
      ['starting_after=0199a3f1-0a28-7b21-9c04-000000000000', 'starting_after'],
    ]
    for (const [query, param] of refused) {
      test(`?${query} is 422 on ${param}`, async () => {
        assertMerchantRefused(await merchantApiOf(service).get(path + query), 422, 'parameter_invalid', param)
      })
    }

    test('both cursors at once are 422, and so is one of another business', async () => {
      const [api, other] = [await emptyBusiness(), await emptyBusiness()]
      const [{ id }, foreign] = [await add(api), await add(other)]
      const both = await api.get(`${path}starting_after=${id}&ending_before=${id}`)
      assertMerchantRefused(both, 422, 'parameter_invalid', 'ending_before')
      for (const param of ['starting_after', 'ending_before']) {
        assertMerchantRefused(await api.get(`${path}${param}=${foreign.id}`), 422, 'parameter_invalid', param)
      }
    })
  })
}

describe('No page skips or repeats a row', () => {
  test('down and up again with any limit', async () => {
    const api = await emptyBusiness()
    const ids: string[] = []
    for (let n = 0; n < 30; n++) ids.unshift((await api.made('/products', { name: `P${n}` })).id)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 35 }), fc.nat({ max: 29 }), async (limit, from) => {
        deepEqual(await walkDown(api, '/products?', limit), ids)
        deepEqual(await walkUp(api, '/products?', limit, ids[from] ?? ''), ids.slice(0, from))
      }),
      { numRuns: 25 },
    )
  })

  test('while rows are being added by many at once: each that was there is seen once, none twice', async () => {
    const api = await emptyBusiness()
    const make = () => api.made('/customers', { name: 'Ana' })
    const there = await Promise.all(Array.from({ length: 40 }, make))
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 1, max: 3 }), async (limit, writers) => {
        let stopped = false
        const write = async () => {
          while (!stopped) there.push(await make())
        }
        const known = there.map(({ id }) => id)
        const writing = Promise.all(Array.from({ length: writers }, write))
        const seen = await walkDown(api, '/customers?', limit).finally(() => {
          stopped = true
        })
        await writing
        equal(new Set(seen).size, seen.length, 'a row was seen twice')
        const seenAll = new Set(seen)
        deepEqual(
          known.filter((id) => !seenAll.has(id)),
          [],
        )
      }),
      { numRuns: 5 },
    )
  })

  test('rows of the same instant are ordered by their id', async () => {
    const api = await emptyBusiness()
    const made = await Promise.all(Array.from({ length: 12 }, () => api.made('/products', { name: 'Same' })))
    const at = new Date('2026-01-01T00:00:00Z')
    const ids = made.map(({ id }) => id)
    await service.app.services.db.updateTable('product').set({ created_at: at }).where('id', 'in', ids).execute()
    deepEqual(await walkDown(api, '/products?', 5), ids.sort().reverse())
    deepEqual(await walkUp(api, '/products?', 5, ids.at(-1) ?? ''), ids.slice(0, -1))
  })

  test('creation time descending, then id descending, as far as the responses show', async () => {
    const api = await emptyBusiness()
    await Promise.all(Array.from({ length: 30 }, () => api.made('/customers', { name: 'Ana' })))
    const { data } = await listOf(api, '/customers?limit=100')
    equal(data.length, 30)
    for (const [index, { id, created }] of data.slice(1).entries()) {
      const newer = data[index] as Listed
      ok(newer.created > created || (newer.created === created && newer.id > id))
    }
  })

  test('also when the row at the cursor left the list meanwhile', async () => {
    const api = merchantApiOf(service)
    const cards: string[] = []
    for (const email of ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com']) {
      cards.unshift((await storeCard(service, email)).cardId)
    }
    const page = await listOf(api, '/payment_methods?limit=2')
    deepEqual(idsOf(page), cards.slice(0, 2))
    await api.delete(`/payment_methods/${cards[1]}`)
    deepEqual(idsOf(await listOf(api, `/payment_methods?starting_after=${cards[1]}`)), cards.slice(2))
    deepEqual(idsOf(await listOf(api, `/payment_methods?ending_before=${cards[2]}`)), cards.slice(0, 1))
    deepEqual(await walkDown(api, '/payment_methods?', 1), [cards[0], cards[2], cards[3]])
  })
})
