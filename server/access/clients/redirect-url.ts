import { invalidField } from '../../lib/errors.ts'
import { shownUrlViolation } from '../../lib/shown-url.ts'
import type { Environment } from '../shared/context.ts'

const URL_CHARACTERS_MAX = 2048
/**
 * Checks the URL that a client registers. Its origin decides which pages may open sessions.
 *
 * @returns the text unchanged
 * @throws ApiError `validation_failed`
 * @see CHK-6, CHK-7
 */
export function checkRedirectUrl(text: string, environment: Environment): string {
  const refuse = (description: string) => invalidField('redirect_url', description)
  if (text.length > URL_CHARACTERS_MAX || !URL.canParse(text)) {
    throw refuse('must be an absolute URL, such as https://shop.example/pay')
  }
  const violation = shownUrlViolation(text)
  if (violation !== null) throw refuse(violation)
  if (text.includes('#')) throw refuse('must not contain a fragment')
  const { protocol, hostname } = new URL(text)
  if (protocol === 'https:') return text
  if (environment === 'staging' && protocol === 'http:' && hostname === 'localhost') return text
  throw refuse(environment === 'staging' ? 'must be https, or http://localhost:PORT' : 'must be https')
}
