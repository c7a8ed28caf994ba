import { equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pathExpression } from './path-pattern.ts'

const ID = '019aabcd-0000-7000-8000-000000000000'

describe('A path parameter', () => {
  const expression = pathExpression('/api/{business_id}/checkout/{session_token}/details')
  const matches = (id: string, token: string) => expression.test(`/api/${id}/checkout/${token}/details`)

  test('of an id is a UUID in lower case, without braces', () => {
    equal(matches(ID, 'abc'), true)
    for (const id of [ID.toUpperCase(), `{${ID}}`, ID.replaceAll('-', ''), `${ID}0`, `${ID}\n`, "' or 1=1", '..']) {
      equal(matches(id, 'abc'), false, id)
    }
  })

  test('of a token is 1 to 100 letters, digits, - and _', () => {
    equal(matches(ID, 'A-z_0'.repeat(20)), true)
    for (const token of ['', 'a'.repeat(101), 'a/b', 'a.b', '%2e', 'a b', 'é']) equal(matches(ID, token), false, token)
  })

  test('leaves the rest of the path as it is written', () => {
    equal(pathExpression('/healthz').test('/healthz'), true)
    equal(pathExpression('/healthz').test('/healthz/'), false)
    equal(pathExpression('/healthz').test('/HEALTHZ'), false)
  })
})
