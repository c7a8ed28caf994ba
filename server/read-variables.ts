import { readSmtpUrl, type SmtpServer, smtpServer } from './emails/send/smtp-server.ts'
import { readRange } from './http/trusted-proxies.ts'
import { isEmailAddress } from './lib/email-address.ts'
import { MASTER_KEY_BYTES } from './lib/keyring.ts'
import { encodingAdvice } from './lib/reserved-characters.ts'

// Readers of environment variables. A reader returns `null` for a text that is not a value.

/** Reads variables and collects what is wrong with them, so that everything can be reported at once. */
export function readVariables(env: Record<string, string | undefined>) {
  const wrong: string[] = []
  const read = <Value>(
    name: string,
    parse: (text: string) => Value | null,
    expected: string,
    fallback: Value,
  ): Value => {
    const text = env[name]?.trim()
    if (!text) return fallback
    const value = parse(text)
    if (value !== null) return value
    const advice = encodingAdvice(text)
    wrong.push(`${name} is not ${expected}${advice && `; ${advice}`}`)
    return fallback
  }
  const oneOf = <const Words extends readonly string[]>(name: string, words: Words, fallback: Words[number]) =>
    read(
      name,
      (text) => (words.includes(text) ? (text as Words[number]) : null),
      `one of ${words.join(', ')}`,
      fallback,
    )
  const port = (name: string, fallback: number) =>
    read(name, wholeNumber(0, 65_535), 'a port from 0 to 65535', fallback)
  return { wrong, read, oneOf, port }
}

export const wholeNumber = (min: number, max: number) => (text: string) => {
  const value = Number(text)
  return /^\d+$/.test(text) && value >= min && value <= max ? value : null
}

export function fraction(text: string): number | null {
  const value = Number(text)
  return value > 0 && value <= 1 ? value : null
}

export function origin(text: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  return ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && !url.search ? url.origin : null
}

/** Reads a whole URL, with its path. */
export const httpUrl = (text: string): string | null =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol) ? text : null

export const gatewayName = (text: string): string | null => (/^[a-z0-9_-]{1,64}$/i.test(text) ? text : null)

/** Reads a URL with or without a path; returns it without a slash at its end. */
function baseUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, origin, pathname, search, hash, username, password } = new URL(text)
  if (!['http:', 'https:'].includes(protocol) || search || hash || username || password) return null
  return origin + pathname.replace(/\/+$/, '')
}

export function proxies(text: string): string[] | null {
  const parts = text.split(',').map((part) => part.trim())
  return parts.every((part) => readRange(part) !== null) ? parts : null
}

const emailAddress = (text: string) => (isEmailAddress(text) ? text : null)

/**
 * Reads a URL of PostgreSQL. If the password contained a reserved character, the driver would take a part of it for the
 * host.
 */
export const postgresUrl = (text: string) =>
  /^postgres(?:ql)?:\/\/./.test(text) && encodingAdvice(text) === '' ? text : null

export function masterKeys(text: string): Buffer[] | null {
  const keys = text.split(',').map((part) => Buffer.from(part.trim(), 'base64'))
  return keys.every((key) => key.length === MASTER_KEY_BYTES) ? keys : null
}

/** Reads the mail server; `null` without `SMTP_URL`. */
export function readMail(
  { wrong, read }: ReturnType<typeof readVariables>,
  environment: 'staging' | 'production',
): SmtpServer | null {
  const url = read('SMTP_URL', readSmtpUrl, 'smtp://user:password@host:587 or smtps://user:password@host:465', null)
  const from = read('MAIL_FROM', emailAddress, 'one e-mail address, such as billing@example.com', null)
  if (url !== null && from === null) wrong.push('SMTP_URL needs MAIL_FROM')
  return url === null || from === null ? null : smtpServer(url, { from, environment })
}

/** Reads the simulator; `null` without `SIMULATOR_URL`. */
export function readSimulator(
  { wrong, read }: ReturnType<typeof readVariables>,
  givenSecret: string | undefined,
): { url: string; secret: string } | null {
  const url = read<string | null>('SIMULATOR_URL', origin, 'an origin, such as http://127.0.0.1:4002', null)
  const secret = givenSecret?.trim() ?? ''
  if (url !== null && secret === '') wrong.push('SIMULATOR_URL needs SIMULATOR_SECRET')
  return url === null ? null : { url, secret }
}

/** Pattern of what an HTTP header can contain. */
const HEADER_VALUE = /^[\x21-\x7e]{1,200}$/

/** Reads the 3-D Secure server; `null` without `THREE_DS_SERVER_URL`. */
export function readThreeDsServer(
  { wrong, read }: ReturnType<typeof readVariables>,
  givenKey: string | undefined,
): { url: string; key: string } | null {
  const url = read('THREE_DS_SERVER_URL', baseUrl, 'a URL, such as https://service.3dsecure.io', null)
  const key = givenKey?.trim() ?? ''
  if (url !== null && key === '') wrong.push('THREE_DS_SERVER_URL needs THREE_DS_SERVER_KEY')
  if (url === null && key !== '') wrong.push('THREE_DS_SERVER_KEY needs THREE_DS_SERVER_URL')
  if (key !== '' && !HEADER_VALUE.test(key)) wrong.push('THREE_DS_SERVER_KEY is not a key of a 3-D Secure server')
  return url === null ? null : { url, key }
}
