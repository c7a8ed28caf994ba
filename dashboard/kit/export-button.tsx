import { Button } from '@mantine/core'
import { memo, Suspense, useState } from 'react'
import type { ExportProps } from './export-dialog.tsx'
import { Icon } from './icons.tsx'
import { KIT_TEXTS } from './kit-texts.ts'
import { lazyPart } from './lazy-part.ts'
import { useTexts } from './texts.ts'

const ExportDialog = lazyPart(() => import('./export-dialog.tsx'))

/** Exports all rows that match the filters. */
export const ExportButton = memo(function ExportButton(props: ExportProps) {
  const t = useTexts(KIT_TEXTS)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" size="sm" leftSection={<Icon name="download" />} onClick={() => setOpen(true)}>
        {t.export}
      </Button>
      <Suspense fallback={null}>{isOpen && <ExportDialog {...props} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
})
