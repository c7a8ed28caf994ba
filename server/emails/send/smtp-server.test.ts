import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readSmtpUrl, smtpServer } from './smtp-server.ts'

const OPEN = { secure: false, startTls: null, auth: null }

describe('SMTP_URL', () => {
  for (const [text, expected] of [
    ['smtp://mail.example', { ...OPEN, host: 'mail.example', port: 587 }],
    ['smtp://mail.example:25/', { ...OPEN, host: 'mail.example', port: 25 }],
    ['smtp://[::1]:1025', { ...OPEN, host: '::1', port: 1025 }],
    ['smtps://mail.example', { ...OPEN, host: 'mail.example', port: 465, secure: true }],
    [
      'smtp://ana%40x.example:p%3Aw%2F@mail.example',
      { ...OPEN, host: 'mail.example', port: 587, auth: { user: 'ana@x.example', pass: 'p:w/' } },
    ],
    ['smtp://mail.example?starttls=off', { ...OPEN, host: 'mail.example', port: 587, startTls: 'off' }],
    ['smtp://mail.example?starttls=required', { ...OPEN, host: 'mail.example', port: 587, startTls: 'required' }],
    ['smtp://mail.example?starttls=if_offered', { ...OPEN, host: 'mail.example', port: 587, startTls: 'if_offered' }],
  ] as const)
    test(text, () => deepEqual(readSmtpUrl(text), expected))

  for (const text of [
    'mail.example:587',
    'http://mail.example',
    'smtp://',
    'smtp://user@mail.example',
    'smtp://:password@mail.example',
    'smtp://mail.example/path',
    'smtp://mail.example?starttls=maybe',
    'smtp://mail.example?starttls=constructor',
    'smtp://mail.example?rejectUnauthorized=false',
    'smtp://mail.example#x',
    'smtp://a:%E0%A4%A@mail.example',
  ])
    test(`${text} is refused`, () => equal(readSmtpUrl(text), null))
})

describe('LTR-46: STARTTLS', () => {
  const startTls = (text: string, environment: 'staging' | 'production') => {
    const url = readSmtpUrl(text)
    return url && smtpServer(url, { from: 'billing@pay.example', environment }).startTls
  }

  test('is required in production', () => equal(startTls('smtp://mail.example', 'production'), 'required'))
  test('is used where it is offered in staging', () => equal(startTls('smtp://mail.example', 'staging'), 'if_offered'))
  test('is what the URL says', () => equal(startTls('smtp://mail.example?starttls=off', 'production'), 'off'))

  for (const text of ['smtp://ana:secret@mail.example', 'smtp://ana:secret@mail.example?starttls=if_offered'])
    test(`is required for a password: ${text}`, () => equal(startTls(text, 'staging'), 'required'))
  test('is not for a password that stays on this machine', () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      equal(startTls(`smtp://ana:secret@${host}`, 'staging'), 'if_offered')
    }
  })
})
