import { deepEqual, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseStrictJson } from './strict-json.ts'

describe('strict JSON', () => {
  test('is what JSON.parse reads, without members that occur twice in one object', () => {
    deepEqual(parseStrictJson('{"a":[{"b":1},{"b":2}],"c":{"a":"\\u003d"}}'), {
      a: [{ b: 1 }, { b: 2 }],
      c: { a: '=' },
    })
    for (const text of ['{"a":1,"a":1}', '{"x":[{"a":1,"\\u0061":2}]}', '{"x":{"":1,"":2}}']) {
      throws(() => parseStrictJson(text), SyntaxError, text)
    }
  })

  test('is nested ten levels at most', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    parseStrictJson(nested(10))
    for (const levels of [11, 4_000]) throws(() => parseStrictJson(nested(levels)), SyntaxError)
  })

  test('has no text that cannot be written in UTF-8, because its bytes are signed', () => {
    throws(() => parseStrictJson('{"a":"\\ud800"}'), SyntaxError)
    deepEqual(parseStrictJson('["\\ud83d\\ude00"]'), ['\u{1f600}'])
  })
})
