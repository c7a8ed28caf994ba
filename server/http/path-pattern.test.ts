import { equal, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import Fastify from 'fastify'
import { fastifyPath, pathExpression, SHAPES } from './path-pattern.ts'

const ID = '019aabcd-0000-7000-8000-000000000000'
const TOKEN = '01Ab_-yZ'.repeat(8)

describe('A path parameter', () => {
  const expression = pathExpression('/api/{business_id}/checkout/{session_token}/details')
  const matches = (id: string, token: string) => expression.test(`/api/${id}/checkout/${token}/details`)

  test('of an id is a UUID without braces, in either case', () => {
    for (const id of [ID, ID.toUpperCase()]) equal(matches(id, TOKEN), true)
    for (const id of [`{${ID}}`, ID.replaceAll('-', ''), `${ID}0`, `${ID}\n`, "' or 1=1", '..']) {
      equal(matches(id, TOKEN), false, id)
    }
  })

  test('of a token is 64 characters of base64url; a server may name the session by its id too', () => {
    const isToken = (text: string) => pathExpression('/api/checkout/{token}').test(`/api/checkout/${text}`)
    for (const [text, wellFormed] of [
      [TOKEN, [true, true]],
      [ID, [false, true]],
    ] as const) {
      equal(isToken(text), wellFormed[0], text)
      equal(matches(ID, text), wellFormed[1], text)
    }
    for (const text of [
      '',
      TOKEN.slice(1),
      `${TOKEN}0`,
      `+${TOKEN.slice(1)}`,
      `=${TOKEN.slice(1)}`,
      `${TOKEN}\n`,
      '%2e',
      'é',
    ]) {
      equal(isToken(text), false, text)
      equal(matches(ID, text), false, text)
    }
  })

  test('has a shape that takes time in proportion to what is sent: Fastify would refuse another', () => {
    for (const name of ['id', ...Object.keys(SHAPES)]) Fastify().get(fastifyPath(`/{${name}}`), () => '')
    throws(() => Fastify().get('/:id(^(?:a+)+$)', () => ''), /is not safe/)
  })

  test('leaves the rest of the path unchanged', () => {
    equal(pathExpression('/healthz').test('/healthz'), true)
    equal(pathExpression('/healthz').test('/healthz/'), false)
    equal(pathExpression('/healthz').test('/HEALTHZ'), false)
  })
})
