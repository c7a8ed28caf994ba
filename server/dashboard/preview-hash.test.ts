import { doesNotThrow, match, notEqual, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ApiError } from '../lib/errors.ts'
import { previewHash, requirePreview } from './preview-hash.ts'

describe('The hash of a preview (DSH-5)', () => {
  const preview = { amount: 500, preview_hash: previewHash({ amount: 500 }) }

  test('is another one for other figures', () => {
    match(preview.preview_hash, /^[0-9a-f]{64}$/)
    notEqual(previewHash({ amount: 501 }), preview.preview_hash)
  })

  test('lets a commit pass with the same hash, and without one', () => {
    doesNotThrow(() => requirePreview(preview.preview_hash, preview))
    doesNotThrow(() => requirePreview(undefined, preview))
  })

  test('refuses a commit with another one, and shows the new preview', () => {
    const isStale = ({ code, detail }: ApiError) => code === 'quote_stale' && detail.extra?.preview === preview
    throws(() => requirePreview(previewHash({ amount: 1 }), preview), isStale)
  })
})
