import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { KIT_TEXTS } from './kit-texts.ts'
import { useTexts } from './texts.ts'

/** Says that other figures are shown than those that were agreed to. */
export function FiguresChanged({ since }: { since: unknown }) {
  const t = useTexts(KIT_TEXTS)
  return since === null ? null : <Alert color="yellow" variant="outline" title={t.previewChanged} role="alert" />
}

/** A figure; before it the former one, struck through, where there was another. */
export function Was({ former, now }: { former: string | undefined; now: string }): ReactNode {
  return !former || former === now ? (
    now
  ) : (
    <>
      <s>{former}</s> {now}
    </>
  )
}
