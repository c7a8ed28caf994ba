import { type Logger, pino } from 'pino'

const PAGE_BYTES = 4_096

/** Members that must never be printed, wherever an object has them. Bodies are not logged at all; this is the net below. */
const SECRET_MEMBERS = [
  'authorization',
  'cookie',
  'password',
  'client_secret',
  'access_token',
  'refresh_token',
  'api_key',
  'cardData',
  'googlePayToken',
]

/**
 * Lines for machines, on standard output. Into a pipe or a file they go by the page, at the latest after a second: a write a
 * line cost a tenth of a request (measured). What a killed process had not written is lost; the database has what matters.
 */
export function createLog(level: string): Logger {
  const isTerminal = process.stdout.isTTY
  const destination = pino.destination({
    dest: 1,
    sync: isTerminal,
    minLength: isTerminal ? 0 : PAGE_BYTES,
    periodicFlush: 1_000,
  })
  process.on('exit', () => destination.flushSync())
  return pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  )
}
