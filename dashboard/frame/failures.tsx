import { PathLink } from '../kit/links.tsx'
import { Page } from '../kit/page.tsx'
import { Refusal } from '../kit/refusal.tsx'
import { useTexts } from '../kit/texts.ts'
import { FRAME_TEXTS } from './frame-texts.ts'

export function NotFound() {
  const t = useTexts(FRAME_TEXTS)
  return (
    <Page title={t.notFoundTitle}>
      <p>{t.notFoundText}</p>
      <p>
        <PathLink to="/dashboard">{t.toStart}</PathLink>
      </p>
    </Page>
  )
}

/** Shown instead of a page that failed. */
export function PageError({ error }: { error: unknown }) {
  const t = useTexts(FRAME_TEXTS)
  return (
    <Page title={t.errorTitle}>
      <Refusal error={error} onRetry={() => location.reload()} />
      <p>
        <PathLink to="/dashboard">{t.toStart}</PathLink>
      </p>
    </Page>
  )
}
