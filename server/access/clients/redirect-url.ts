import { invalidField } from '../../lib/errors.ts'
import type { Environment } from '../shared/context.ts'

const URL_CHARACTERS_MAX = 2048
/**
 * Characters that the URL parser silently drops or replaces, so that browsers open another address than people read.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
const DECEIVING = /[\s\\\u0000-\u001f\u007f]/
const USERINFO = /^[a-z]+:\/\/[^/?#]*@/i

/**
 * Checks the URL that a client registers. Its origin decides which pages may open sessions.
 *
 * @returns the text unchanged
 * @throws ApiError `validation_failed`
 * @see CHK-6, CHK-7
 */
export function checkRedirectUrl(text: string, environment: Environment): string {
  const refuse = (description: string) => invalidField('redirect_url', description)
  if (text.length > URL_CHARACTERS_MAX || DECEIVING.test(text) || !URL.canParse(text)) {
    throw refuse('must be an absolute URL, such as https://shop.example/pay')
  }
  if (USERINFO.test(text)) throw refuse('must not contain a user name or password')
  if (text.includes('#')) throw refuse('must not contain a fragment')
  const { protocol, hostname } = new URL(text)
  if (protocol === 'https:') return text
  if (environment === 'staging' && protocol === 'http:' && hostname === 'localhost') return text
  throw refuse(environment === 'staging' ? 'must be https, or http://localhost:PORT' : 'must be https')
}
