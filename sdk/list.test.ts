import { deepEqual, equal, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fakeFetch, refusal } from '../test/support/fake-fetch.ts'
import { Rialto } from './rialto.ts'

const page = (ids: string[], has_more: boolean) => ({
  body: { object: 'list', data: ids.map((id) => ({ id })), has_more },
})

function clientOf(...responses: Parameters<typeof fakeFetch>) {
  const { fetch, sent } = fakeFetch(...responses)
  const { customers, prices } = new Rialto({ apiKey: 'rc_sk_stg_1', baseUrl: 'https://api.example', fetch })
  return { customers, prices, queries: () => sent.map(({ path }) => path.split('?')[1] ?? '') }
}

const idsOf = async (list: AsyncIterable<{ id: string }>) => (await Array.fromAsync(list)).map(({ id }) => id)

describe('A list', () => {
  test('in a loop iterates over all pages, newest first, and keeps its filters', async () => {
    const { prices, queries } = clientOf(page(['6', '5'], true), page(['4', '3'], true), page(['2'], false))

    deepEqual(await idsOf(prices.list({ limit: 2, active: true })), ['6', '5', '4', '3', '2'])

    deepEqual(queries(), [
      'limit=2&active=true',
      'limit=2&active=true&starting_after=5',
      'limit=2&active=true&starting_after=3',
    ])
  })

  test('in a loop requests 100 at a time by default', async () => {
    const { customers, queries } = clientOf(page(['2'], true), page(['1'], false))

    deepEqual(await idsOf(customers.list()), ['2', '1'])

    deepEqual(queries(), ['limit=100', 'limit=100&starting_after=2'])
  })

  test('that repeats a page for ever ends with an error', async () => {
    const { customers, queries } = clientOf(page(['2', '1'], true))

    await rejects(idsOf(customers.list()), { code: 'unreadable_response' })

    equal(queries().length, 2)
  })

  test('in a loop that ends early requests no further page', async () => {
    const { customers, queries } = clientOf(page(['2', '1'], true))

    for await (const { id } of customers.list()) {
      equal(id, '2')
      break
    }

    equal(queries().length, 1)
  })

  test('awaited is its first page, and nextPage continues until there is none', async () => {
    const { customers, queries } = clientOf(page(['3', '2'], true), page(['1'], false))

    const first = await customers.list({ limit: 2 })
    const second = await first.nextPage()

    deepEqual([first.data, first.has_more], [[{ id: '3' }, { id: '2' }], true])
    deepEqual([second?.data, second?.has_more], [[{ id: '1' }], false])
    equal(await second?.nextPage(), null)
    deepEqual(queries(), ['limit=2', 'limit=2&starting_after=2'])
  })

  test('from ending_before continues to newer ones', async () => {
    const { customers, queries } = clientOf(page(['3', '2'], true), page(['4'], false))

    deepEqual(await idsOf(customers.list({ limit: 2, ending_before: '1' })), ['2', '3', '4'])

    deepEqual(queries(), ['limit=2&ending_before=1', 'limit=2&ending_before=3'])
  })

  test('a page continues after itself, and page() sends a new request', async () => {
    const { customers, queries } = clientOf(page(['2'], true), page(['1'], false))
    const list = customers.list({ limit: 1 })

    deepEqual(await idsOf(await list.page()), ['2', '1'])

    await list.page()
    deepEqual(queries(), ['limit=1', 'limit=1&starting_after=2', 'limit=1'])
  })

  test('that is empty but has_more ends', async () => {
    const { customers } = clientOf(page([], true))

    deepEqual(await idsOf(customers.list()), [])
  })

  test('that is refused rejects where it is awaited, and sends nothing before', async () => {
    const { customers, queries } = clientOf(refusal(422, 'validation_error', 'parameter_invalid', { param: 'limit' }))

    const list = customers.list({ limit: 101 })
    equal(queries().length, 0)

    await rejects(async () => await list, { name: 'ValidationError', param: 'limit' })
    await rejects(idsOf(list), { name: 'ValidationError' })
  })
})
