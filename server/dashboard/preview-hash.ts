import { createHash } from 'node:crypto'
import { ApiError } from '../lib/errors.ts'

/** What a person is shown before they move money. */
export interface Preview {
  preview_hash: string
}

/**
 * Returns the hex SHA-256 of the figures that a person agrees to. They must not include a text that only explains them,
 * or a time that moves on.
 *
 * @see DSH-5
 */
export function previewHash(figures: object): string {
  return createHash('sha256').update(JSON.stringify(figures)).digest('hex')
}

/**
 * Refuses a commit whose preview differs from the current one.
 *
 * @param sent hash of the preview that the caller has seen; absent if they have seen none
 * @throws ApiError `quote_stale`, with the new preview
 */
export function requirePreview(sent: string | undefined, preview: Preview): void {
  if (sent === undefined || sent === preview.preview_hash) return
  throw new ApiError('quote_stale', {
    message: 'This has changed since you looked at it. Look at the new figures.',
    errors: { preview_hash: ['is of another preview'] },
    extra: { preview },
  })
}
