import { deepEqual, rejects } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { Rialto } from './rialto.ts'

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const SECRET = newSecret()
const EVENT = { id: 'evt-1', object: 'event', type: 'customer.created', data: { object: { name: 'Zoë 🌊' } } }
const BODY = JSON.stringify(EVENT)
const TOLERANCE_MS = 5 * 60_000

function signed(body = BODY, secrets = [SECRET], at = new Date()) {
  const signatures = secrets.map((secret) => new Webhook(secret).sign('evt-1', at, body))
  return {
    'webhook-id': 'evt-1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}

const ago = (ms: number) => new Date(Date.now() - ms)
const REFUSED = { name: 'WebhookError', type: 'webhook_error', code: 'webhook_signature_invalid' }
const { verify } = Rialto.webhooks

describe('A webhook', () => {
  const bytes = new TextEncoder().encode(BODY)
  for (const [name, body] of [
    ['a string', BODY],
    ['bytes', bytes],
    ["Node's Buffer", Buffer.from(BODY)],
    ['an ArrayBuffer', bytes.buffer],
  ] as const) {
    test(`is the event when its signature is right, given as ${name}`, async () => {
      deepEqual(await verify(body, signed(), SECRET), EVENT)
    })
  }

  for (const [name, headers] of [
    ['Headers', new Headers(signed())],
    ["Node's headers, of lists too", { ...signed(), 'webhook-id': ['evt-1'], cookie: undefined }],
    ['capital letters', Object.fromEntries(Object.entries(signed()).map(([key, value]) => [key.toUpperCase(), value]))],
  ] as const) {
    test(`takes its headers from ${name}`, async () => {
      deepEqual(await verify(BODY, headers, SECRET), EVENT)
    })
  }

  test('signed with the old and the new secret is valid for each holder', async () => {
    const newer = newSecret()
    const headers = signed(BODY, [SECRET, newer])

    deepEqual(await verify(BODY, headers, SECRET), EVENT)
    deepEqual(await verify(BODY, headers, newer), EVENT)
  })

  test('signed with one secret is valid for a holder of two, one of which may be undefined', async () => {
    deepEqual(await verify(BODY, signed(), [newSecret(), SECRET]), EVENT)
    deepEqual(await verify(BODY, signed(), [SECRET, undefined]), EVENT)
  })

  for (const [name, body, headers, secrets] of [
    ['of another secret', BODY, signed(BODY, [newSecret()]), SECRET],
    ['of none of two secrets', BODY, signed(), [newSecret(), newSecret()]],
    ['changed on the way', BODY.replace('Zoë', 'Eve'), signed(), SECRET],
    ['with another id', BODY, { ...signed(), 'webhook-id': 'evt-2' }, SECRET],
    [
      'with another time',
      BODY,
      { ...signed(), 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 9) },
      SECRET,
    ],
    ['with no time', BODY, { ...signed(), 'webhook-timestamp': 'now' }, SECRET],
    ['without a signature', BODY, { ...signed(), 'webhook-signature': undefined }, SECRET],
    ['with half a signature', BODY, { ...signed(), 'webhook-signature': 'v1' }, SECRET],
    [
      'with the signature of another scheme',
      BODY,
      { ...signed(), 'webhook-signature': signed()['webhook-signature'].replace('v1', 'v1a') },
      SECRET,
    ],
    ['without headers', BODY, {}, SECRET],
    ['with a byte order mark before it', `\uFEFF${BODY}`, signed(), SECRET],
  ] as const) {
    test(`${name} is refused`, async () => {
      await rejects(verify(body, headers, secrets), REFUSED)
      await rejects(verify(new TextEncoder().encode(body), headers, secrets), REFUSED)
    })
  }

  for (const [name, at, isRight] of [
    ['almost five minutes old', ago(TOLERANCE_MS - 10_000), true],
    ['over five minutes old', ago(TOLERANCE_MS + 2_000), false],
    ['from a clock a little ahead', ago(-60_000), true],
    ['from over five minutes ahead', ago(-TOLERANCE_MS - 2_000), false],
  ] as const) {
    test(`${name} is ${isRight ? 'right' : 'refused, also with a right signature'}`, async () => {
      const event = verify(BODY, signed(BODY, [SECRET], at), SECRET)
      await (isRight ? event : rejects(event, REFUSED))
    })
  }

  test('that is signed but not JSON is refused', async () => {
    await rejects(verify('pong', signed('pong'), SECRET), { ...REFUSED, code: 'webhook_body_invalid' })
  })

  test('that was already parsed is a TypeError', async () => {
    await rejects(verify(EVENT as never, signed(), SECRET), /TypeError: rawBody: pass the body as received/)
  })

  for (const secrets of ['', [], 'whsec_', 'rc_sk_stg_1', 'whsec_not base64', undefined, [undefined]]) {
    test(`with the secret ${JSON.stringify(secrets)} is a TypeError that does not repeat the secret`, async () => {
      await rejects(verify(BODY, signed(), secrets), {
        name: 'TypeError',
        message: /^secrets: pass one or more secrets of the form whsec_ and base64$/,
      })
    })
  }
})
