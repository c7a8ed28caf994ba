import { Alert } from '@mantine/core'
import { fill } from '../../contract/text.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { useTexts } from './texts.ts'

/** Changes that somebody else has made since an edit began. */
export function Meanwhile({ changes }: { changes: [label: string, value: string][] | undefined }) {
  const t = useTexts(KIT_TEXTS)
  if (!changes) return null
  return (
    <Alert color="yellow" variant="outline" title={t.changedMeanwhile} role="alert">
      <ul>
        {changes.map(([label, value]) => (
          <li key={label}>{fill(t.nowIs, { label, value: value === '' ? '–' : value })}</li>
        ))}
      </ul>
    </Alert>
  )
}
