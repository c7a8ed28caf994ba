import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Rialto } from '../../sdk/index.ts'
import { ListenError, listenCommand } from '../../server/events/listen/listen-command.ts'
import { freePort } from '../support/free-ports.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { serverProgram } from '../support/server-program.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { openReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

// EVT-30: `npm run listen`.

const FAST = 0.02

let service: TestService
let api: MerchantApiClient
before(async () => {
  service = await openService()
  api = merchantApiOf(service)
})
after(() => service.close())

/** A running command, and its output. */
interface Listening extends AsyncDisposable {
  lines: string[]
  secret(): string
  ended: Promise<void>
}

async function listening(
  receiver: Pick<WebhookReceiver, 'url'>,
  args: string[] = [],
  url = service.url,
): Promise<Listening> {
  const lines: string[] = []
  const stopping = new AbortController()
  const services = { print: (line: string) => void lines.push(line), signal: stopping.signal, timeScale: FAST }
  const demo = { url, key: service.demo.api_key }
  const defaults = { baseUrl: 'http://127.0.0.1:9', secretKey: null, demo }
  const ended = listenCommand(services, ['--forward-to', receiver.url, ...args], defaults)
  let isOver = false
  const over = () => {
    isOver = true
  }
  ended.then(over, over)
  // A command that has ended is not waited for.
  await until('it listens', () => isOver || lines.some((line) => line.startsWith('Press Ctrl-C')))
  if (isOver) await ended
  return {
    lines,
    ended,
    secret: () => lines.find((line) => line.startsWith('Signing secret: '))?.slice(16) ?? '',
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await ended
    },
  }
}

const newProduct = async (name: string) => (await api.made('/products', { name })).id as string
const namesIn = ({ received }: WebhookReceiver) => received.map(({ body }) => JSON.parse(body).data.object.name)
const received = (receiver: WebhookReceiver, name: string) =>
  until(`${name} arrives`, () => namesIn(receiver).includes(name))

describe('listen', () => {
  test('posts what happens from now on as it is listed, signed with the secret that it prints', async () => {
    await newProduct('before')
    await using receiver = await openReceiver()
    await using command = await listening(receiver)
    match(command.lines[0] ?? '', /^Listening to Demo Shop at http/)
    const id = await newProduct('now')
    await received(receiver, 'now')
    const [post] = receiver.received
    ok(post)
    const event = await Rialto.webhooks.verify(post.body, post.headers, command.secret())
    deepEqual(event, (await api.get(`/events?object=${id}`)).body.data[0])
    equal(post.headers['content-type'], 'application/json')
    deepEqual(namesIn(receiver), ['now'])
    await until('it is printed', () => command.lines.some((line) => line.includes(event.id)))
    const line = command.lines.find((one) => one.includes(event.id)) ?? ''
    match(line, /^ {2}\d\d:\d\d:\d\d {2}product\.created +[0-9a-f-]{36} {2}200 in \d+ ms$/)
    equal(command.lines.join('\n').includes(service.demo.api_key), false)
  })

  test('posts what has happened since, oldest first and each once, of the types that are wanted', async () => {
    const id = await newProduct('first')
    await api.patch(`/products/${id}`, { name: 'second' })
    await api.made('/customers', { name: 'not wanted' })
    await using receiver = await openReceiver()
    await using _command = await listening(receiver, ['--since', '1h', '--events', 'product.*'])
    await received(receiver, 'second')
    await newProduct('third')
    await received(receiver, 'third')
    const names = namesIn(receiver)
    deepEqual(names.slice(-3), ['first', 'second', 'third'])
    equal(names.includes('not wanted'), false)
    equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, names.length)
  })

  test('signs with the same secret in every run', async () => {
    await using receiver = await openReceiver()
    await using one = await listening(receiver)
    await using other = await listening(receiver)
    match(one.secret(), /^whsec_[\w+/]{43}=$/)
    equal(one.secret(), other.secret())
  })

  test('tries a receiver that is down again', async () => {
    const port = await freePort()
    await using command = await listening({ url: `http://127.0.0.1:${port}/webhooks` })
    await newProduct('while it was down')
    await until('it was tried', () => command.lines.length > 0)
    await using receiver = await openReceiver(undefined, port)
    await newProduct('after')
    await received(receiver, 'after')
  })

  test('says that a receiver stays down, and goes on', async () => {
    const port = await freePort()
    await using command = await listening({ url: `http://127.0.0.1:${port}/webhooks` })
    const id = await newProduct('lost')
    await until('it is printed', () => command.lines.some((line) => line.includes('ECONNREFUSED')))
    match(command.lines.at(-1) ?? '', /^! .*product\.created .*ECONNREFUSED in/)
    await using receiver = await openReceiver(undefined, port)
    await newProduct('after')
    await received(receiver, 'after')
    equal(JSON.stringify(receiver.received).includes(id), false)
  })

  for (const status of [500, 302])
    test(`takes ${status} as final, follows no redirect, and goes on`, async () => {
      await using receiver = await openReceiver((response) => {
        response.writeHead(status, { location: `${receiver.url}/2` }).end()
      })
      await using command = await listening(receiver)
      await newProduct(`refused ${status}`)
      await newProduct(`next ${status}`)
      await until('both are printed', () => command.lines.filter((line) => line.startsWith('! ')).length === 2)
      deepEqual(namesIn(receiver), [`refused ${status}`, `next ${status}`])
      match(command.lines.at(-1) ?? '', new RegExp(` ${status} in `))
    })

  test('waits while Rialto cannot be reached or has enough of it, and leaves nothing out', async () => {
    let fault: 'lost' | 429 | 503 | null = null
    await using door = await openDoor(() => fault)
    await using receiver = await openReceiver()
    await using command = await listening(receiver, [], door.url)
    for (const [what, message] of [
      ['lost', /cannot be reached: .*Trying again\.$/],
      [429, /responded 429: slow down\. Trying again\.$/],
      [503, /responded 503: not a response of Rialto\. Trying again\.$/],
    ] as const) {
      const begin = command.lines.length
      fault = what
      await until('it says so', () => command.lines.length > begin)
      match(command.lines.at(-1) ?? '', message)
      await newProduct(`during ${what}`)
      equal(command.lines.length, begin + 1, 'it says so once')
      fault = null
      await received(receiver, `during ${what}`)
      await until('its line is printed', () => command.lines.at(-1)?.includes(' 200 in '))
      ok(command.lines.includes('Rialto responds again.'))
    }
  })

  test('stops when its key is refused, at the start and later', async () => {
    await using receiver = await openReceiver()
    const wrong = `${service.demo.api_key.slice(0, -2)}00`
    const refused = await listening(receiver, ['--key', wrong, '--url', service.url]).catch((error) => error)
    ok(refused instanceof ListenError)
    match(refused.message, /^The key is refused by http:.*: /)
    equal(refused.message.includes(wrong), false)

    let fault: 401 | null = null
    await using door = await openDoor(() => fault)
    const command = await listening(receiver, [], door.url)
    fault = 401
    await rejects(command.ended, { name: 'ListenError', message: /^The key is refused by/ })
  })

  test('says that no Rialto is there', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    await rejects(listening({ url: 'http://127.0.0.1:9/' }, [], url), {
      name: 'ListenError',
      message: `${url} cannot be reached: ECONNREFUSED`,
    })
  })
})

/** Opens a proxy in front of the service that injects faults. */
async function openDoor(fault: () => 'lost' | 401 | 429 | 503 | null): Promise<{ url: string } & AsyncDisposable> {
  const door = createServer(async (request, response) => {
    const now = fault()
    if (now === 'lost') return request.socket.destroy()
    if (now === 503) return response.writeHead(503).end('<html>')
    if (now !== null) {
      return response.writeHead(now, { 'retry-after': '1' }).end('{"error":{"message":"slow down"}}')
    }
    const { authorization = '' } = request.headers
    const through = await fetch(service.url + request.url, { headers: { authorization } })
    response.writeHead(through.status, { date: through.headers.get('date') ?? '' }).end(await through.text())
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      door.closeAllConnections()
      door.close()
    },
  }
}

describe('npm run listen', () => {
  async function run(args: string[], dataDir: string) {
    const env = { PATH: process.env.PATH, RIALTO_DATA_DIR: dataDir, RIALTO_TIME_SCALE: String(FAST) }
    const child = spawn(process.execPath, [serverProgram(), 'listen', ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    const ended = once(child, 'exit').then(([code]) => code as number | null)
    return { child, ended, output: () => output }
  }

  test('takes the key of the demo, and ends with Ctrl-C', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'rialto-listen-'))
    try {
      await writeFile(join(dataDir, 'demo.json'), JSON.stringify({ ...service.demo, base_url: service.url }))
      await using receiver = await openReceiver()
      const { child, ended, output } = await run(['--forward-to', receiver.url], dataDir)
      try {
        await until('it listens', () => output().includes('Ctrl-C'))
        await newProduct('of the demo')
        await received(receiver, 'of the demo')
        child.kill('SIGINT')
        equal(await ended, 0, output())
        equal(output().includes('Error'), false, output())
      } finally {
        child.kill('SIGKILL')
      }
    } finally {
      await rm(dataDir, { recursive: true })
    }
  })

  test('explains itself when it is called in a wrong way', async () => {
    const { ended, output } = await run([], join(tmpdir(), 'rialto-nowhere'))
    equal(await ended, 1)
    match(output(), /^--forward-to is required\n\nUsage: npm run listen -- --forward-to URL/)
  })
})

test('sends user name and password of the receiver, and prints neither (EVT-144)', async () => {
  await using receiver = await openReceiver()
  const { protocol, host, pathname } = new URL(receiver.url)
  await using command = await listening({ url: `${protocol}//me:canary%40key@${host}${pathname}` })
  await newProduct('behind basic auth')
  await received(receiver, 'behind basic auth')
  equal(receiver.received.at(-1)?.headers.authorization, `Basic ${btoa('me:canary@key')}`)
  ok(!/canary|me:/.test(command.lines.join('\n')), command.lines.join('\n'))
})
