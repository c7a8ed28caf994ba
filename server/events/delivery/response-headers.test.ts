import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keptHeaders } from './response-headers.ts'

describe('The headers of a response to a delivery (EVT-8)', () => {
  test('are kept by their names in lower case, several of one name as one', () => {
    deepEqual(keptHeaders({ 'Content-Type': 'text/plain', via: ['1.1 one', '1.1 two'], status: undefined }), {
      'content-type': 'text/plain',
      via: '1.1 one, 1.1 two',
    })
  })

  test('lose their value when their name says that it is a secret', () => {
    const names = ['set-cookie', 'authorization', 'proxy-authenticate', 'x-api-key', 'x-csrf-token', 'x-session-id']
    for (const name of names) deepEqual(keptHeaders({ [name]: 'value' }), { [name]: '[hidden]' })
    deepEqual(keptHeaders({ 'set-cookie': ['a=1', 'b=2'] }), { 'set-cookie': '[hidden]' })
  })

  test('are 1 KB at most, and 200 characters each', () => {
    equal(keptHeaders({ long: 'x'.repeat(201) }).long, `${'x'.repeat(200)}…`)
    equal(keptHeaders({ long: `${'x'.repeat(199)}😀` }).long, `${'x'.repeat(199)}\uFFFD…`)
    const many = keptHeaders(
      Object.fromEntries(Array.from({ length: 1_000 }, (_none, number) => [`h${number}`, 'value'])),
    )
    const size = Object.entries(many).flat().join('').length
    ok(size > 1_000 && size <= 1_024, String(size))
    deepEqual(keptHeaders({ ['n'.repeat(5_000)]: 'x', after: 'y' }), {})
  })

  test('are text that PostgreSQL stores', () => {
    deepEqual(keptHeaders({ odd: 'a\0b\uD800' }), { odd: 'a\uFFFDb\uFFFD' })
  })
})
