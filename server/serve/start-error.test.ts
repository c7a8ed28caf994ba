import { equal, match } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from '../config.ts'
import { explainDatabaseError } from './start-error.ts'

const explained = (code: string, message = 'as the driver says') =>
  explainDatabaseError(Object.assign(new Error(message), { code })) ?? ''

describe('OPS-66: an error of the database at the start says what would be right', () => {
  for (const [code, text] of [
    ['ECONNREFUSED', /cannot be reached.*host and port/],
    ['ENOTFOUND', /cannot be reached/],
    ['28P01', /user and password.*%2F/],
    ['28000', /sslmode=verify-full/],
    ['3D000', /createdb/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /sslrootcert=.*database\.md#tls/],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /sslrootcert=/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /sslrootcert=/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /name in the certificate/],
    ['CERT_HAS_EXPIRED', /clock/],
  ] as const)
    test(code, () => {
      match(explained(code), text)
      equal(explained(code).includes('\n'), false)
    })

  test('a server without TLS, and a certificate that is not there', () => {
    match(explained('', 'The server does not support SSL connections'), /sslmode=disable/)
    const missing = Object.assign(new Error('no such file'), { code: 'ENOENT', path: '/etc/ssl/ca.pem' })
    match(explainDatabaseError(missing) ?? '', /^\/etc\/ssl\/ca\.pem/)
  })

  test('any other error is shown as it is', () => {
    for (const error of [new Error('x'), null, 'x', Object.assign(new Error('x'), { code: 'EPERM' })]) {
      equal(explainDatabaseError(error), null)
    }
  })

  for (const [name, url, more] of [
    ['DATABASE_URL', 'postgres://rialto:hunter2/x@db.example/rialto', {}],
    ['DATABASE_URL', 'postgres://rialto:hunter2#x@db.example/rialto', {}],
    ['DATABASE_URL', 'postgres://rialto:123?hunter2@db.example/rialto', {}],
    ['SMTP_URL', 'smtp://ana:hunter2/x@mail.example', { MAIL_FROM: 'a@shop.example' }],
    ['SMTP_URL', 'smtps://ana:hunter2#x@mail.example', { MAIL_FROM: 'a@shop.example' }],
  ] as const)
    test(`${name} with a reserved character: ${url}`, () => {
      const message = errorOf({ [name]: url, ...more })
      match(message, new RegExp(`${name} is not .*percent-encode.*%2F.*%23`))
      equal(/hunter2/.test(message), false)
    })
})

function errorOf(env: Record<string, string>): string {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
