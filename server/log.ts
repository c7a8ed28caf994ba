import { type Logger, pino } from 'pino'

const PAGE_BYTES = 4_096
const FLUSH_MS = 1_000

/**
 * Members that are redacted in every logged object. A second safeguard: request and response bodies are never logged.
 */
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
 * Creates the log, which writes JSON lines to standard output. Into a pipe or a file, lines are buffered up to 4 KB or
 * one second, because one write per line cost a tenth of a request (measured). A killed process loses its buffer; money
 * is recorded in the database.
 *
 * @param level a pino level, such as `info`
 */
export function createLog(level: string): Logger {
  const isTerminal = process.stdout.isTTY
  const destination = pino.destination({
    dest: 1,
    sync: isTerminal,
    minLength: isTerminal ? 0 : PAGE_BYTES,
  })
  if (!isTerminal) flushSoon(destination)
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

/**
 * Flushes a second after a line. The stream's own `periodicFlush` wakes two threads each second even without a line.
 */
function flushSoon(destination: ReturnType<typeof pino.destination>): void {
  const write = destination.write.bind(destination)
  let isWaiting = false
  const flush = () => {
    isWaiting = false
    destination.flush()
  }
  destination.write = (line) => {
    if (!isWaiting) setTimeout(flush, FLUSH_MS).unref()
    isWaiting = true
    return write(line)
  }
}
