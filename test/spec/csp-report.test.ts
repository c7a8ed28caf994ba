import { equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { send } from '../support/merchant.ts'
import { openService } from '../support/service.ts'

test('a violation report of the page is logged as what was blocked, without the address of the page', async () => {
  await using service = await openService()
  const report = {
    type: 'csp-violation',
    url: `${service.formUrl}/customer/checkout/${'a'.repeat(64)}`,
    body: { effectiveDirective: 'script-src-elem', blockedURL: 'https://evil.example/skim.js', documentURL: 'x' },
  }
  const headers = { 'content-type': 'application/reports+json', origin: service.formUrl }
  const { status } = await send(`${service.url}/csp-report`, {
    method: 'POST',
    headers,
    body: JSON.stringify([report]),
  })
  equal(status, 204)
  match(service.logged(), /"directive":"script-src-elem","blocked":"https:\/\/evil\.example"/)
  ok(!service.logged().includes('a'.repeat(64)))
})

test('a page of another origin may not create a session, and one of the client may', async () => {
  await using service = await openService()
  const preflight = (origin: string) =>
    send(`${service.url}/api/${service.demo.business_id}/checkout/create`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
  equal((await preflight('https://shop.example')).headers.get('access-control-allow-origin'), 'https://shop.example')
  equal((await preflight('https://evil.example')).headers.get('access-control-allow-origin'), null)
})
