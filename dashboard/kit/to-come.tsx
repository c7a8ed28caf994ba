import { Empty } from './empty.tsx'
import { KIT_TEXTS } from './kit-texts.ts'
import { Page } from './page.tsx'
import { useTexts } from './texts.ts'

/** Stands for a page that is not written yet. */
export default function ToCome() {
  const t = useTexts(KIT_TEXTS)
  return (
    <Page title={t.nothingYet}>
      <Empty kind="nothing" />
    </Page>
  )
}
