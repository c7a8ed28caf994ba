import { Alert } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { CallError, useCall } from '../../kit/call.ts'
import { Card } from '../../kit/detail.tsx'
import { FormProblems } from '../../kit/form.tsx'
import { AppLink, useGo } from '../../kit/links.tsx'
import { Page } from '../../kit/page.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { SendButton } from '../../kit/send-button.tsx'
import { useTexts } from '../../kit/texts.ts'
import { type CustomerDraft, CustomerFields, metadataOf } from './customer-fields.tsx'
import { CUSTOMER_TEXTS } from './texts/texts.ts'

const EMPTY: CustomerDraft = { name: '', email: '', phone: '', metadata: [] }

export default function NewCustomerPage() {
  const t = useTexts(CUSTOMER_TEXTS)
  const [draft, setDraft] = useState(EMPTY)
  const { error, missing, isSending, send } = useSend(draft)
  const errors = error instanceof CallError ? error.errors : {}
  return (
    <Page title={t.new} breadcrumbs={[{ label: t.title, to: 'customers' }]}>
      <Card title={t.details}>
        <form className="stack" onSubmit={send} noValidate>
          <p>{t.addText}</p>
          <Problems error={error} />
          <CustomerFields
            draft={draft}
            onChange={setDraft}
            errors={{ ...errors, ...(missing && { name: t.needsOne }) }}
          />
          <div>
            <SendButton error={error} loading={isSending}>
              {t.add}
            </SendButton>
          </div>
        </form>
      </Card>
    </Page>
  )
}

function Problems({ error }: { error: unknown }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const known = error instanceof CallError && error.status === 409 ? error.extra.customer : null
  if (typeof known !== 'string')
    return <FormProblems error={error} labels={{ name: t.name, email: t.email, phone: t.phone }} />
  return (
    <Alert color="yellow" variant="outline" title={t.known} role="alert">
      <AppLink to={`customers/${known}`}>{t.openKnown}</AppLink>
    </Alert>
  )
}

function useSend(draft: CustomerDraft) {
  const [call, go, invalidate] = [useCall(), useGo(), useInvalidate()]
  const [error, setError] = useState<unknown>(null)
  const [isSending, setSending] = useState(false)
  const [missing, setMissing] = useState(false)
  async function send(event: FormEvent) {
    event.preventDefault()
    const texts = { name: draft.name.trim(), email: draft.email.trim(), phone: draft.phone.trim() }
    const isEmpty = texts.name === '' && texts.email === ''
    setMissing(isEmpty)
    if (isEmpty || isSending) return
    setSending(true)
    setError(null)
    const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
    const metadata = metadataOf(draft.metadata, {})
    try {
      const { id } = await call('POST /customers', { body: { ...given, metadata } })
      await invalidate('GET /customers')
      await go(`customers/${id}`)
    } catch (refused) {
      setError(refused)
    } finally {
      setSending(false)
    }
  }
  return { error, missing, isSending, send }
}
