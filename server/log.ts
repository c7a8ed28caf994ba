import { type Logger, pino } from 'pino'

/** Members that must never be printed, wherever an object has them. Bodies are not logged at all; this is the net below. */
const SECRET_MEMBERS = [
  'authorization',
  'cookie',
  'password',
  'client_secret',
  'access_token',
  'refresh_token',
  'cardData',
  'googlePayToken',
]

export function createLog(level: string): Logger {
  return pino({
    level,
    base: null,
    redact: { paths: SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
    formatters: { level: (label) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  })
}
