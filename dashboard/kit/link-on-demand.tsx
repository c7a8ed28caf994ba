import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { ShownLink } from '../../contract/dashboard/shown-link.ts'
import { Copy } from './copy.tsx'
import { KIT_TEXTS } from './kit-texts.ts'
import { lazyPart } from './lazy-part.ts'
import { Refusal } from './refusal.tsx'
import { useSubmit } from './submit.ts'
import { useTexts } from './texts.ts'

const Qr = lazyPart(() => import('./qr.tsx'))

interface LinkOnDemandProps {
  /** Name for screen readers: `Payment link`. */
  label: string
  /** Link from the response of the call that created it. */
  known?: string | null | undefined
  show(): Promise<ShownLink>
}

/** A link that grants access to whoever has it: a separate call shows it, which the audit log records (DSH-110). */
export function LinkOnDemand({ label, known = null, show }: LinkOnDemandProps) {
  const t = useTexts(KIT_TEXTS)
  const [url, setUrl] = useState<string | null>(known)
  const { submit, isSending, error } = useSubmit(async () => setUrl((await show()).url))
  if (url !== null) return <Link url={url} label={label} />
  return (
    <div className="stack">
      <p className="dimmed">{t.showLinkHint}</p>
      <Refusal error={error} />
      <div>
        <Button variant="default" size="sm" loading={isSending} onClick={submit}>
          {t.showLink}
        </Button>
      </div>
    </div>
  )
}

function Link({ url, label }: { url: string; label: string }) {
  const t = useTexts(KIT_TEXTS)
  return (
    <div className="stack">
      <span className="copy-id">
        <code>{url}</code>
        <Copy text={url} label={label} />
      </span>
      <Suspense fallback={null}>
        <Qr text={url} label={label} />
      </Suspense>
      <p>
        <a href={url} target="_blank" rel="noreferrer">
          {t.openLink}
        </a>
      </p>
    </div>
  )
}
