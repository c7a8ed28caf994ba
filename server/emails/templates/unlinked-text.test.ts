import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { unlinked } from './unlinked-text.ts'

test('LTR-36: what mail programs make links of is broken, and reads the same', () => {
  const texts = [
    'evil.com/pay',
    'Pay at https://evil.example now',
    'WWW.EVIL.COM',
    'müller.de',
    'http://1.2.3.4/x',
    'x.evil.com/@ana@b.c',
  ]
  for (const text of texts) {
    const broken = unlinked(text)
    equal(broken.replaceAll('\u2060', ''), text)
    ok(!/[\p{L}\p{N}-]\.\p{L}/u.test(broken) && !broken.includes('://'), text)
  }
})

test('other texts stay as they are', () => {
  for (const text of ['12.50 USD', 'St. Mary', 'ana@example.com', 'Ana Roy, Inc.', '10:30', '1.2.3'])
    equal(unlinked(text), text)
})
