import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../lib/errors.ts'
import { parseJsonBody } from './json-body.ts'
import type { Route } from './route.ts'

const JSON_IN_UTF8 = /^application\/json\s*(?:;\s*charset="?utf-?8"?\s*)?$/i
const FORM = 'application/x-www-form-urlencoded'
/** How browsers label the JSON of their violation reports. */
export const REPORT_MEDIA = /^application\/(?:reports\+json|csp-report)\b/i

/** Reads JSON in UTF-8, url-encoded forms and browsers' reports; every other media type is refused with 415. */
export function addBodyParsers(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers()
  for (const media of [JSON_IN_UTF8, REPORT_MEDIA]) {
    app.addContentTypeParser(media, { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
      parseJsonBody(body),
    )
  }
  app.register(formbody, { bodyLimit })
}

/**
 * @throws ApiError `unsupported_media_type` for a form or a report on a path that does not accept it, and for a
 * compressed body
 */
export function refuseOtherMedia(
  { acceptsForm = false, acceptsReports = false }: Route,
  headers: Record<string, string | string[] | undefined>,
): void {
  const media = headers['content-type']?.toString().toLowerCase() ?? ''
  const isEncoded = (headers['content-encoding'] ?? 'identity') !== 'identity'
  if (isEncoded || (media.startsWith(FORM) && !acceptsForm) || (REPORT_MEDIA.test(media) && !acceptsReports)) {
    throw new ApiError('unsupported_media_type', { message: 'Send application/json in UTF-8, not compressed' })
  }
}
