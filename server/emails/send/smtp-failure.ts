import { UnusableLetter } from './build-message.ts'

export interface SendFailure {
  /** Whether another attempt is pointless. */
  isFinal: boolean
  /** Single line for the operator, without credentials. */
  description: string
}

const DESCRIPTION_CHARACTERS_MAX = 300
/**
 * Commands at which a server refuses the letter itself. Elsewhere it refuses the connection or its user, which an
 * operator can fix.
 */
const OF_THE_LETTER = ['RCPT TO', 'DATA']
/** Wrong order of commands: another connection may succeed. */
const BAD_SEQUENCE = 503

interface SmtpError extends Error {
  code?: string
  command?: string
  responseCode?: number
  response?: string
}

/**
 * Returns what an error of an attempt means for its letter.
 *
 * @param secrets texts that the description must not contain
 * @see LTR-11
 */
export function sendFailure(error: unknown, secrets: readonly string[]): SendFailure {
  if (error instanceof UnusableLetter) return { isFinal: true, description: error.message }
  const { code, command, responseCode = 0, response, message } = error as SmtpError
  const isRefused = responseCode >= 500 && responseCode < 600 && responseCode !== BAD_SEQUENCE
  const text = [code, command, response ?? message].filter(Boolean).join(' ')
  return {
    isFinal: isRefused && OF_THE_LETTER.includes(command ?? ''),
    description: withoutSecrets(text, secrets)
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .slice(0, DESCRIPTION_CHARACTERS_MAX),
  }
}

/** Removes secrets, because servers echo what they were sent, even as base64. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)])
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
}
