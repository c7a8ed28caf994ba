import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../../lib/ids.ts'
import { createEventsClient, NoResponse } from './events-client.ts'
import { listenCommand } from './listen-command.ts'
import { createNewEvents } from './new-events.ts'

let respond: (response: ServerResponse, path: string) => void = () => {}
const server = createServer((request, response) => respond(response, request.url ?? ''))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
after(() => server.close().closeAllConnections())

const client = createEventsClient({ url, key: 'rc_sk_stg_x' }, new AbortController().signal)
const json = (response: ServerResponse, body: unknown) => response.end(JSON.stringify(body))
const event = (id: string) => ({ id, type: 'product.created' })

async function waitAsked(retryAfter: string, status = 429): Promise<number> {
  respond = (response) => response.writeHead(status, { 'retry-after': retryAfter }).end('{}')
  const error = await client.list().catch((thrown: unknown) => thrown)
  ok(error instanceof NoResponse)
  return error.retryAfterMs
}

describe('EVT-30: listen does not believe its server', () => {
  test('a wait of any text is from 0 to 60 seconds', async () => {
    const text = fc.oneof(
      fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      fc.string({ unit: 'grapheme-ascii' }),
    )
    await fc.assert(
      fc.asyncProperty(text, async (retryAfter) => {
        const waitMs = await waitAsked(retryAfter)
        ok(waitMs >= 0 && waitMs <= 60_000, `${retryAfter}: ${waitMs}`)
      }),
      { numRuns: 200 },
    )
    const inAMinute = new Date(Date.now() + 40_000).toUTCString()
    ok((await waitAsked(inAMinute)) > 30_000, 'a date counts')
    equal(await waitAsked('5', 503), 5_000)
  })

  test('an endless body is given up', async () => {
    let sent = 0
    respond = (response) => {
      const block = Buffer.alloc(1_000_000, ' ')
      const write = () => {
        while (!response.destroyed && response.write(block)) sent += block.length
      }
      response.on('drain', write)
      write()
    }
    await rejects(client.list(), NoResponse)
    ok(sent < 100_000_000, `${sent} bytes`)
  })

  test('a list that does not become older, or of anything but events, is not read on', async () => {
    const [older, newer] = [newId(), newId()]
    for (const data of [
      [event(older), event(newer)],
      [event(newer), event(newer)],
      [{ id: 'x', type: 'product.created' }],
      [{ id: newer, type: '\u001b[2J' }],
      [null],
      'events',
      undefined,
    ]) {
      respond = (response) => json(response, { data, has_more: true })
      await rejects(client.list(), NoResponse, JSON.stringify(data))
    }
    respond = (response) => json(response, { data: [event(newer)], has_more: true })
    await rejects(client.list(older), NoResponse, 'newer than its cursor')
    respond = (response) => json(response, { data: [], has_more: true })
    deepEqual(await client.list(), { events: [], hasMore: false })
  })

  test('a list without an end is given up', async () => {
    let pages = 0
    const list = async () => {
      pages += 1
      return { events: [event(newId()) as never], hasMore: true }
    }
    await rejects(createNewEvents({ list }, new Date(0)).read(), NoResponse)
    equal(pages, 1_000)
  })

  test('what it sends cannot move the cursor of a terminal', async () => {
    const stopping = new AbortController()
    const lines: string[] = []
    respond = (response, path) => {
      if (path.endsWith('/account')) json(response, { data: { business_name: '\u001b]0;owned\u0007\u009b2J\r\nShop' } })
      else json(response, { data: [], has_more: false })
    }
    const services = { print: (line: string) => void lines.push(line), signal: stopping.signal, timeScale: 1 }
    const defaults = { baseUrl: url, secretKey: 'rc_sk_stg_x', demo: null }
    const command = listenCommand(services, ['--forward-to', 'http://127.0.0.1:9'], defaults)
    while (lines.length < 4) await new Promise((resolve) => setTimeout(resolve, 10))
    stopping.abort()
    await command
    ok(lines[0]?.startsWith('Listening to ?]0;owned??2J??Shop at'), lines[0])
  })
})
