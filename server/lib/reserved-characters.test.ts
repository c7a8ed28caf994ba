import { equal, match } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { encodingAdvice } from './reserved-characters.ts'

describe('OPS-66: a reserved character in a password', () => {
  const word = fc.stringMatching(/^[a-z0-9]{1,12}$/)
  const scheme = fc.constantFrom('postgres', 'postgresql', 'smtp', 'smtps')
  const tail = fc.constantFrom('', '/', '/rialto', ':5432/rialto', '/rialto?sslmode=require', '?starttls=off')

  test('is recognized wherever it is, and what it breaks is named without being quoted', () => {
    const reserved = fc.constantFrom('/', '#', '?')
    fc.assert(
      fc.property(scheme, word, word, reserved, word, tail, (kind, user, left, character, right, end) => {
        const advice = encodingAdvice(`${kind}://${user}:${left}${character}${right}@db.example${end}`)
        match(advice, /percent-encode .*%2F.*%23/)
      }),
      { numRuns: 500 },
    )
    match(encodingAdvice('smtp://ana:%E0%A4%A@mail.example'), /percent-encode/)
    match(encodingAdvice('smtp://ana:100%@mail.example'), /percent-encode/)
  })

  test('that is encoded is not, nor a URL without a password', () => {
    fc.assert(
      fc.property(scheme, word, fc.string({ minLength: 1 }), tail, (kind, user, password, end) => {
        equal(encodingAdvice(`${kind}://${user}:${encodeURIComponent(password.toWellFormed())}@db.example${end}`), '')
        equal(encodingAdvice(`${kind}://db.example${end}`), '')
      }),
      { numRuns: 500 },
    )
    for (const text of [
      'postgres:///rialto?host=/run/postgresql&user=ana@shop',
      'postgres://db.example/rialto?application_name=a@b',
      'postgres://%2Frun%2Fpostgresql/rialto',
      'postgres://ana:p@ss@db.example/rialto',
      'postgres://ana:secret@/rialto?host=/run/postgresql',
      '',
    ]) {
      equal(encodingAdvice(text), '', text)
    }
  })
})
