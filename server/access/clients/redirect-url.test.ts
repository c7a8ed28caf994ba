import { equal, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../../lib/errors.ts'
import { checkRedirectUrl } from './redirect-url.ts'

const refused = (error: unknown) => error instanceof ApiError && 'redirect_url' in (error.detail.errors ?? {})

describe('The redirect URL that a client registers', () => {
  for (const url of ['https://shop.example', 'https://shop.example:8443/pay?x=1', 'https://bücher.example/']) {
    test(`${url} is accepted in both environments`, () => {
      equal(checkRedirectUrl(url, 'production'), url)
      equal(checkRedirectUrl(url, 'staging'), url)
    })
  }

  test('http://localhost with a port is accepted in staging only', () => {
    equal(checkRedirectUrl('http://localhost:3000/back', 'staging'), 'http://localhost:3000/back')
    throws(() => checkRedirectUrl('http://localhost:3000/back', 'production'), refused)
  })

  const bad = [
    'http://shop.example',
    'http://localhost.shop.example:3000',
    'http://127.0.0.1:3000',
    'https://user@shop.example',
    'https://user:password@shop.example',
    'https://@shop.example',
    'https://shop.example/#top',
    'https://shop.example#',
    'https://shop.example\\@evil.example',
    'https://shop.exa\nmple',
    'javascript:alert(1)',
    'shop.example',
    '/back',
    '',
    `https://shop.example/${'x'.repeat(2048)}`,
  ]
  for (const url of bad) {
    test(`${JSON.stringify(url.slice(0, 60))} is refused`, () => {
      throws(() => checkRedirectUrl(url, 'staging'), refused)
      throws(() => checkRedirectUrl(url, 'production'), refused)
    })
  }
})
