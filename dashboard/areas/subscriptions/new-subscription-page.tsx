import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { Card } from '../../kit/detail.tsx'
import { useQueryOfPage } from '../../kit/links.tsx'
import { numberText, useFormatLocale } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { usePreview } from '../../kit/preview.ts'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { SendButton } from '../../kit/send-button.tsx'
import { useTexts } from '../../kit/texts.ts'
import { CardPart } from './card-part.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { CreateFigures } from './create-figures.tsx'
import { CustomerPart } from './customer-part.tsx'
import { bodyOf, EMPTY, formErrors, type NewSubscription } from './new-subscription-form.ts'
import { TermsPart } from './terms-part.tsx'
import { TEXTS } from './texts/texts.ts'
import { WhatPart } from './what-part.tsx'
import './subscriptions.css'

const TYPING_MS = 350

/** The form, with the server's preview of its effects. */
export default function NewSubscriptionPage() {
  const t = useTexts(TEXTS)
  const { form, change, settings, customer, body, preview, isReady } = useNewSubscription()
  const [isOpen, setOpen] = useState(false)
  const error = body === null ? null : preview.error
  const parts = { form, change, errors: error?.errors ?? {}, customer }
  return (
    <Page title={t.newSubscription} breadcrumbs={[{ label: t.subscriptions, to: 'subscriptions' }]}>
      {settings.error && <Refusal error={settings.error} onRetry={() => void settings.refetch()} />}
      <div className="two">
        <form
          className="stack"
          aria-label={t.newSubscription}
          onSubmit={(event) => {
            event.preventDefault()
            if (isReady) setOpen(true)
          }}
        >
          <CustomerPart {...parts} />
          <WhatPart {...parts} />
          <TermsPart {...parts} problems={formErrors(form)} />
          <CardPart {...parts} />
          <SendButton error={null} movesMoney disabled={!isReady}>
            {t.create}
          </SendButton>
        </form>
        <div className="beside">
          <Card title={t.previewTitle}>
            <CreateFigures preview={body === null ? undefined : preview.data} error={error} />
          </Card>
        </div>
      </div>
      {isOpen && body !== null && preview.data && (
        <CreateDialog body={body} preview={{ ...preview, data: preview.data }} onClose={() => setOpen(false)} />
      )}
    </Page>
  )
}

/** Input and its figures. The figures are ready once they belong to the current input. */
function useNewSubscription() {
  const { customer: given } = useQueryOfPage()
  const settings = useRead('GET /settings')
  const locale = useFormatLocale()
  const [changes, setChanges] = useState<Partial<NewSubscription>>({})
  const change = (more: Partial<NewSubscription>) => setChanges((former) => ({ ...former, ...more }))
  const tax = settings.data?.default_tax_rate ?? null
  const taxRate = tax === null ? '' : numberText(tax, locale)
  const form: NewSubscription = { ...EMPTY, customer: given ?? null, taxRate, ...changes }
  // Until the settings are read, the tax may be missing.
  const entered = settings.data ? bodyOf(form) : null
  // Compared as text, because the input is a new object on every render.
  const [text] = useDebouncedValue(JSON.stringify(entered), TYPING_MS)
  const body = JSON.parse(text) as typeof entered
  const preview = usePreview('POST /subscriptions/preview', {
    body: body ?? {},
    enabled: body !== null,
    keepsPrevious: true,
  })
  const isShown = JSON.stringify(entered) === text && !preview.isPlaceholderData
  const isReady = body !== null && preview.data !== undefined && !preview.error && isShown
  const isKnown = form.customerKind === 'known' && form.customer !== null
  const customer = useRead('GET /customers/{id}', { params: { id: form.customer ?? '' }, enabled: isKnown })
  return { form, change, settings, customer: isKnown ? customer.data : undefined, body, preview, isReady }
}
