import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { HOSTILE_CARD, HOSTILE_CVV } from '../support/hostile-routes.ts'
import { merchantOf, send } from '../support/merchant.ts'
import { openService, type TestService } from '../support/service.ts'

// Hostile posts of a browser without JavaScript: the response is a page, and nothing fails inside.

let service: TestService
let page: string

before(async () => {
  service = await openService({ timeScale: 0.5 })
  page = `${service.formUrl}/customer/checkout/${await merchantOf(service).sessionToken()}`
})
after(() => service.close())

const FIELDS = {
  cardnumber: HOSTILE_CARD,
  exp: '13/31',
  cvc: HOSTILE_CVV,
  ccname: 'Ana Roy',
  postal: '10001',
  line1: '1 Main',
  country: 'US',
}

async function post(body: string, type = 'application/x-www-form-urlencoded') {
  const response = await send(page, { method: 'POST', headers: { 'content-type': type }, body })
  ok(response.status < 500, `${response.status}`)
  ok(!String(response.body).includes(HOSTILE_CARD))
  return response
}

describe('The form, posted by anyone', () => {
  const hostile: Record<string, string> = {
    nothing: '',
    'fields twice': `${new URLSearchParams(FIELDS)}&${new URLSearchParams(FIELDS)}`,
    'fields as lists': new URLSearchParams(
      Object.entries(FIELDS).map(([name, value]) => [`${name}[]`, value]),
    ).toString(),
    'keys of a prototype': `__proto__=x&constructor=y&${new URLSearchParams(FIELDS)}`,
    'NUL and a lone surrogate': `${new URLSearchParams({ ...FIELDS, ccname: 'a\0b', exp: '\0' })}&line1=%ed%a0%80`,
    'broken escapes': 'cardnumber=%zz&exp=%&cvc=%e0%a4%a',
    'a thousand fields': Array.from({ length: 1_000 }, (_, index) => `f${index}=x`).join('&'),
    'a script': new URLSearchParams({ ...FIELDS, ccname: '<script>alert(1)</script>' }).toString(),
  }
  for (const [name, body] of Object.entries(hostile)) {
    test(`with ${name}`, async () => {
      const { body: html } = await post(body)
      ok(String(html).startsWith('<!doctype html>'))
      ok(!String(html).includes('<script>alert'))
    })
  }

  test('as JSON with values that are not text', async () => {
    for (const value of [1, null, true, [], {}, ['x'], { trim: 1 }]) {
      await post(JSON.stringify({ ...FIELDS, exp: value }), 'application/json')
      await post(JSON.stringify({ ...FIELDS, cardnumber: value, ccname: value, country: value }), 'application/json')
    }
    for (const body of ['[]', 'null', '1', '"x"']) await post(body, 'application/json')
  })

  test('with an unknown language, or two', async () => {
    for (const query of ['?lang=xx', '?lang=en&lang=fr-CA', '?lang[]=en', '?lang=__proto__', '?lang=%00', '?lang']) {
      equal((await send(page + query)).status, 200, query)
      equal((await send(`${service.formUrl}/nowhere${query}`)).status, 404, query)
    }
    for (const language of ['*', 'x'.repeat(5_000), 'en;q=NaN', ',,,', 'fr;q=1e309']) {
      equal((await send(page, { headers: { 'accept-language': language } })).status, 200)
    }
  })

  test('charges nothing and logs no card', async () => {
    deepEqual(await service.simulator.rows(), [])
    equal(service.logged().includes('request failed'), false)
    ok(!service.logged().includes(HOSTILE_CARD))
  })
})
