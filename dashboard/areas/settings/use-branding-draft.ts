import { useEffect, useState } from 'react'
import type { BodyOf, ResponseOf } from '../../../contract/dashboard/dashboard-api.ts'
import { CallError, useCall } from '../../kit/call.ts'

export type Look = BodyOf<'POST /branding/drafts'>
export type ColorCheck = NonNullable<ResponseOf<'POST /branding/drafts'>['color']>

/** Time without typing after which the draft is sent. */
const PAUSE_MS = 350

interface BrandingDraft {
  /** `null` until the first preview is ready. */
  id: string | null
  color: ColorCheck | null
  logoError: string | undefined
}

/** Stores the input as a draft on the server, for the preview. A refused draft leaves the previous one in place. */
export function useBrandingDraft(look: Look): BrandingDraft {
  const call = useCall()
  const [draft, setDraft] = useState<BrandingDraft>({ id: null, color: null, logoError: undefined })
  const text = JSON.stringify(look)
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(async () => {
      const next = await call('POST /branding/drafts', { body: JSON.parse(text) as Look }).then(
        ({ id, color }): Partial<BrandingDraft> => ({ id, color, logoError: undefined }),
        (error): Partial<BrandingDraft> => ({
          color: null,
          logoError: error instanceof CallError ? error.errors.logo : undefined,
        }),
      )
      if (isCurrent) setDraft((last) => ({ ...last, ...next }))
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [call, text])
  return draft
}
