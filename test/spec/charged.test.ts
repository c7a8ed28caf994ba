import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { merchantOf, payBody, payerOf, type Response, send } from '../support/merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// docs/reference/errors.md lists which refusals of a payment have `charged`, and which do not.

let service: TestService
before(async () => {
  service = await openService()
  callInProcess(service)
})
after(() => service.close())

test('a refusal before a payment begins has no charged, and the page of errors lists none for it', async () => {
  const page = await readFile(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8')
  const [sentence = ''] = /^- `charged` is in[\s\S]*?(?=\n- |\n\n)/m.exec(page) ?? []
  const named = new Set([...sentence.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code))
  const { sessionToken, cancel } = merchantOf(service)
  const payer = payerOf(service)
  const token = await sessionToken()
  const cancelled = await sessionToken()
  await cancel(cancelled)
  const url = `${service.url}/api/checkout/${token}/pay`
  const origin = 'https://evil.example'
  const refusals: Response[] = [
    await payer.pay('0'.repeat(64)),
    await payer.pay(token, payBody('4242424242424241')),
    await payer.pay(token, '{'),
    await payer.pay(cancelled),
    await send(url, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }),
    await send(url, { method: 'POST', headers: { 'content-type': 'application/json', origin }, body: '{}' }),
    await send(url),
  ]
  for (const { body } of refusals) {
    ok(typeof body.code === 'string')
    deepEqual(['charged' in body, named.has(body.code)], [false, false], body.code)
  }
  equal(named.has('gateway_unavailable') && named.has('gateway_timeout') && named.has('payment_in_progress'), true)
})
