import { createHash } from 'node:crypto'
import { ApiError } from '../lib/errors.ts'

/** What a person is shown before they move money. */
export interface Preview {
  preview_hash: string
}

/**
 * Hex SHA-256 of the figures that a person agrees to. A text that only explains them must not be in it, nor a time that
 * goes on.
 *
 * @see DSH-5
 */
export function previewHash(figures: object): string {
  return createHash('sha256').update(JSON.stringify(figures)).digest('hex')
}

/**
 * A commit that carries the hash of its preview is refused when another preview would be shown now.
 *
 * @param sent absent: the caller has seen no preview
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
