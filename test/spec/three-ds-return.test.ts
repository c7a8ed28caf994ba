import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import {
  authenticationRow,
  changeAuthentication,
  type RecordedAuthentication,
  recordAuthentication,
  recordChallenge,
} from '../support/authentication-row.ts'
import { BANK, bridgeOf, CHALLENGE, METHOD } from '../support/bridge-documents.ts'
import { merchantOf, send } from '../support/merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// The paths to which the bank's pages post the browser back (TDS-6, TDS-7, TDS-25).

let service: TestService
let bridge: ReturnType<typeof bridgeOf>
before(async () => {
  service = await openService()
  callInProcess(service)
  bridge = bridgeOf(service)
})
after(() => service.close())

const notification = (serverTransactionId: string) => {
  const data = JSON.stringify({ threeDSServerTransID: serverTransactionId })
  return new URLSearchParams({ threeDSMethodData: Buffer.from(data).toString('base64url') }).toString()
}

describe('what the bank’s page posts back', () => {
  const doneAt = async (made: RecordedAuthentication) => (await authenticationRow(service, made)).method_done_at
  const backAt = async (made: RecordedAuthentication) => (await authenticationRow(service, made)).challenge_returned_at

  test('TDS-6: the method is done when the post names its transaction, whatever site it comes from', async () => {
    for (const headers of [
      { origin: BANK, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      {},
    ] as Record<string, string>[]) {
      const made = await bridge.started()
      const body = notification(made.serverTransactionId.toUpperCase())
      bridge.assertNeutral(await bridge.post('method-done', made, body, headers), 200, made)
      notEqual(await doneAt(made), null)
    }
  })

  test('TDS-6: the method is not done by a post of another transaction, or of rubbish', async () => {
    const [made, other] = [await bridge.started(), await bridge.started()]
    const sane = notification(made.serverTransactionId)
    for (const body of [
      '',
      notification(other.serverTransactionId),
      notification(''),
      sane.slice(0, -20),
      `${sane}&${sane}`,
      sane.replace('threeDSMethodData', 'threeDSMethodData[]'),
      sane.replace('threeDSMethodData', 'threedsmethoddata'),
      `threeDSMethodData=${made.serverTransactionId}`,
      'threeDSMethodData=bnVsbA',
      'threeDSMethodData=%00%ff',
      `threeDSMethodData=${'A'.repeat(60_000)}`,
      '__proto__=x&constructor=y',
      'cardnumber=4242424242424242&cvc=123',
    ])
      bridge.assertNeutral(await bridge.post('method-done', made, body), 200, made)
    equal(await doneAt(made), null)
    equal(await doneAt(other), null)
  })

  test('the method is done once, and not after the request was sent', async () => {
    const made = await bridge.started()
    await bridge.post('method-done', made, notification(made.serverTransactionId))
    const first = await doneAt(made)
    bridge.assertNeutral(await bridge.post('method-done', made, notification(made.serverTransactionId)), 200, made)
    deepEqual(await doneAt(made), first)
    const late = await bridge.started()
    await changeAuthentication(service, late, { state: 'SENT' })
    bridge.assertNeutral(await bridge.post('method-done', late, notification(late.serverTransactionId)), 200, late)
    equal(await doneAt(late), null)
  })

  test('TDS-7: after a challenge anything tells that the browser is back, and decides nothing', async () => {
    const cres = (transStatus: string, trans: string) =>
      new URLSearchParams({
        cres: Buffer.from(
          JSON.stringify({
            messageType: 'CRes',
            messageVersion: '2.2.0',
            threeDSServerTransID: trans,
            acsTransID: trans,
            transStatus,
          }),
        ).toString('base64url'),
      }).toString()
    const made = await bridge.challenged()
    for (const body of [
      cres('Y', made.serverTransactionId),
      cres('Y', newId()),
      'cres=rubbish',
      '',
      `cres=${'A'.repeat(60_000)}`,
    ]) {
      const one = await bridge.challenged()
      bridge.assertNeutral(await bridge.post('done', one, body), 200, one)
      const { state, trans_status, challenge_returned_at } = await authenticationRow(service, one)
      deepEqual([state, trans_status], ['CHALLENGE', null])
      notEqual(challenge_returned_at, null)
    }
    deepEqual(await service.simulator.rows(), [])
  })

  test('the browser is back once, and only from a challenge', async () => {
    const made = await bridge.challenged()
    await bridge.post('done', made)
    const first = await backAt(made)
    bridge.assertNeutral(await bridge.post('done', made, 'cres=x'), 200, made)
    deepEqual(await backAt(made), first)
    const late = await bridge.challenged()
    await changeAuthentication(service, late, { state: 'AUTHENTICATED' })
    bridge.assertNeutral(await bridge.post('done', late), 200, late)
    equal(await backAt(late), null)
  })

  test('touches no other authentication, not even of the same session', async () => {
    const session = await bridge.newSession()
    const [one, other] = [
      await recordChallenge(service, session, CHALLENGE),
      await recordChallenge(service, session, CHALLENGE),
    ]
    await bridge.post('done', one)
    equal(await backAt(other), null)
  })

  test('JSON is read the same way, and other media are refused with a page that wakes', async () => {
    const made = await bridge.challenged()
    const json = { 'content-type': 'application/json' }
    bridge.assertNeutral(await bridge.post('done', made, '{"cres":1}', json), 200, made)
    const other = await bridge.challenged()
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/xml'])
      bridge.assertNeutral(await bridge.post('done', other, 'x', { 'content-type': type }), 415, other)
    bridge.assertNeutral(await bridge.post('done', other, `a=${'x'.repeat(70_000)}`), 413, other)
    bridge.assertNeutral(await bridge.post('done', other, '{', json), 422, other)
    equal(await backAt(other), null)
  })

  test('another method is refused with a page too', async () => {
    const made = await bridge.challenged()
    bridge.assertNeutral(await bridge.open('done', made), 405, made)
    bridge.assertNeutral(await bridge.post('challenge', made), 405, made)
  })

  test('nothing of it reaches the log', async () => {
    const made = await bridge.started()
    await bridge.post('method-done', made, `${notification(made.serverTransactionId)}&cres=canary-of-the-bank`)
    equal(service.logged().includes('canary-of-the-bank'), false)
    equal(service.logged().includes(made.ddd), false)
    equal(service.logged().includes('request failed'), false)
  })
})

test('all four are limited per address, and the 429 is such a page too', async () => {
  const clock = service.app.services.clock
  await using limited = await openService({ rateLimits: true, config: { trustedProxies: ['127.0.0.1'] }, clock })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const ask = (path: string, method: string, address: string) =>
    send(`${limited.formUrl}/customer/ddd/${path}/ddd_${newId()}`, { method, headers: from(address) })
  const statuses: number[] = []
  for (let call = 0; call < 61; call++) {
    const [path = '', method = ''] =
      [
        ['method', 'GET'],
        ['challenge', 'GET'],
        ['method-done', 'POST'],
        ['done', 'POST'],
      ][call % 4] ?? []
    statuses.push((await ask(path, method, '198.51.100.1')).status)
  }
  deepEqual([statuses.slice(0, 60).every((status) => status === 404), statuses[60]], [true, 429])
  const refused = await ask('done', 'POST', '198.51.100.1')
  match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  match(refused.body, /postMessage/)
  equal((await ask('done', 'POST', '198.51.100.2')).status, 404)
})

test('over HTTPS the documents keep the browser there', async () => {
  await using secure = await openService({ config: { dashboardUrl: 'https://pay.example' } })
  const { id } = (await merchantOf(secure).createSession()).body.checkout_session
  const made = await recordAuthentication(secure, { businessId: secure.demo.business_id, id }, METHOD)
  const { port } = secure.app.form.server.address() as AddressInfo
  const at = (path: string) => `http://127.0.0.1:${port}/customer/ddd/${path}/${made.ddd}`
  for (const response of [await send(at('method')), await send(at('method-done'), { method: 'POST' })])
    match(response.headers.get('strict-transport-security') ?? '', /max-age=63072000/)
})
