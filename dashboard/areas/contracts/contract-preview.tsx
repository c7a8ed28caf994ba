import { useEffect, useState } from 'react'
import { useCall } from '../../kit/call.ts'
import { Card } from '../../kit/detail.tsx'
import { Refusal } from '../../kit/refusal.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import type { ContractDraft } from './contract-draft.ts'
import { CONTRACT_TEXTS } from './texts/texts.ts'

const WAIT_MS = 400

/** Text that the customer will read, with placeholders filled by the server. */
export function ContractPreview({ draft }: { draft: ContractDraft }) {
  const t = useTexts(CONTRACT_TEXTS)
  const { preview, error } = usePreview(draft)
  return (
    <Card title={t.preview}>
      <Refusal error={error} />
      {preview && preview.unfilled.length > 0 && (
        <p role="status">{fill(t.unfilled, { names: preview.unfilled.map((name) => `{{${name}}}`).join(', ') })}</p>
      )}
      {preview ? <div className="contract-text">{preview.text}</div> : <p className="dimmed">{t.previewHint}</p>}
    </Card>
  )
}

interface Preview {
  text: string
  unfilled: string[]
}

function usePreview({ customer, subscription, locale, text }: ContractDraft) {
  const call = useCall()
  const [shown, setShown] = useState<{ preview: Preview | null; error: unknown }>({ preview: null, error: null })
  useEffect(() => {
    if (customer === null || text.trim() === '') return setShown({ preview: null, error: null })
    let isCurrent = true
    const timer = setTimeout(() => {
      const body = { customer, text, locale, ...(subscription !== null && { subscription }) }
      call('POST /contracts/preview', { body }).then(
        (preview) => isCurrent && setShown({ preview, error: null }),
        (error: unknown) => isCurrent && setShown(({ preview }) => ({ preview, error })),
      )
    }, WAIT_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [call, customer, subscription, locale, text])
  return shown
}
