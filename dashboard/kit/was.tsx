import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { KIT_TEXTS } from './kit-texts.ts'
import { useTexts } from './texts.ts'

/** Says that the figures have changed since the person agreed to them. */
export function FiguresChanged({ since }: { since: unknown }) {
  const t = useTexts(KIT_TEXTS)
  return since === null ? null : <Alert color="yellow" variant="outline" title={t.previewChanged} role="alert" />
}

/** A figure, preceded by the former one, struck through, if it was different. */
export function Was({ former, now }: { former: string | undefined; now: string }): ReactNode {
  return !former || former === now ? (
    now
  ) : (
    <>
      <s>{former}</s> {now}
    </>
  )
}
