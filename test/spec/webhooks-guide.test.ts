import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { freePort } from '../support/free-ports.ts'
import { send } from '../support/merchant.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'

const GUIDE = new URL('../../docs/guides/webhooks.md', import.meta.url)
const SDK = new URL('../../sdk/index.ts', import.meta.url)
const LINES_MAX = 15

const run = promisify(execFile)
const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
)

/** Returns the code blocks of a language, with the port and the SDK of this test. */
async function blocksOf(language: string, port = 3000): Promise<string[]> {
  const blocks = (await readFile(GUIDE, 'utf8')).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))
  return [...blocks].map(([, text = '']) =>
    text.replaceAll(/(?<=localhost:|listen\(|127\.0\.0\.1", )3000/g, String(port)).replace('@rialto/sdk', SDK.href),
  )
}

describe('docs/guides/webhooks.md', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rialto-webhooks-'))
  })
  after(() => rm(folder, { recursive: true }))

  test('every command runs as it is printed, one after the other', async () => {
    await using service = await openService()
    await service.app.startWorker()
    const port = await freePort()
    await mkdir(join(folder, 'data'))
    await writeFile(
      join(folder, 'data', 'demo.json'),
      JSON.stringify({ ...service.demo, base_url: service.url }, null, 2),
    )
    await mkdir(join(folder, 'receiver'))
    await writeFile(join(folder, 'receiver', 'receiver.mjs'), (await blocksOf('js', port))[0] ?? '')
    // test/spec/listen.test.ts runs one of them, sdk/package.test.ts the other.
    const elsewhere = /^npm (run listen|pack)/
    const commands = (await blocksOf('sh', port)).filter((text) => !elsewhere.test(text))
    equal(commands.length, 7)
    const script = ['set -eu', ...commands.map((text) => `${text}\necho`)].join('\n')
    const { stdout } = await run('sh', ['-c', script], { cwd: folder, timeout: 120_000 })
    equal(/"error":\{/.test(stdout), false, stdout)
    match(stdout, /^ping [0-9a-f-]{36}$/m)
    match(stdout, /^product\.created [0-9a-f-]{36}$/m)
    match(stdout, /"response_status":200/)
    equal(stdout.match(/"object":"redelivery"/g)?.length, 2)
    match(stdout, /"secret":"whsec_/)
    match(stdout, /"deleted":true/)
  })

  for (const [language, command, file, isThere] of [
    ['js', process.execPath, 'receiver.mjs', true],
    ['python', 'python3', 'receiver.py', hasPython],
  ] as const)
    test(`the receiver in ${language} takes what is signed and nothing else`, { skip: !isThere }, async () => {
      const port = await freePort()
      const [text = '', ...more] = await blocksOf(language, port)
      deepEqual(more, [])
      await writeFile(join(folder, file), text)
      const secret = newSecret()
      const env = { PATH: process.env.PATH, HOME: process.env.HOME, WEBHOOK_SECRET: secret }
      const receiver = spawn(command, [file], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
      let output = ''
      receiver.stdout.on('data', (chunk) => {
        output += chunk
      })
      try {
        const post = poster(`http://127.0.0.1:${port}/webhooks`)
        await until('it listens', () => post(newSecret()).catch(() => null))
        equal(await post(secret), 200)
        equal(await post(newSecret()), 400)
        equal(await post(secret, { ageSeconds: 400 }), 400)
        equal(await post(secret, { change: true }), 400)
        equal(await post(secret, { headers: { 'webhook-signature': '' } }), 400)
        equal(await post(secret, { also: newSecret() }), 200)
        await until('both are printed', () => output.match(/^customer\.created/gm)?.length === 2)
      } finally {
        receiver.kill('SIGKILL')
      }
    })

  for (const language of ['js', 'python', 'php'])
    test(`the receiver in ${language} has under ${LINES_MAX} lines`, async () => {
      const [text] = await blocksOf(language)
      ok(text)
      const lines = text.split('\n').filter((line) => line.trim() !== '')
      ok(lines.length < LINES_MAX, String(lines.length))
    })
})

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

interface Post {
  ageSeconds?: number
  /** Whether the body is changed after signing. */
  change?: boolean
  /** A secret whose signature comes first. */
  also?: string
  headers?: Record<string, string>
}

/** Posts events to a receiver. */
const poster =
  (url: string) =>
  async (secret: string, { ageSeconds = 0, change = false, also, headers = {} }: Post = {}): Promise<number> => {
    const body = JSON.stringify({
      id: 'evt-1',
      type: 'customer.created',
      data: { object: { id: '1', name: 'Zoë 🌊' } },
    })
    const at = new Date(Date.now() - ageSeconds * 1_000)
    const secrets = also === undefined ? [secret] : [also, secret]
    const signed = {
      'webhook-id': 'evt-1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': secrets.map((one) => new Webhook(one).sign('evt-1', at, body)).join(' '),
      ...headers,
    }
    const sent = change ? body.replace('Zoë', 'Eve') : body
    return (await send(url, { method: 'POST', headers: signed, body: sent })).status
  }
