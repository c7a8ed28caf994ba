import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useCall } from '../../kit/call.ts'
import CustomerPicker from '../../kit/customer-picker.tsx'
import { Card } from '../../kit/detail.tsx'
import { FormProblems } from '../../kit/form.tsx'
import { useGo, useQueryOfPage } from '../../kit/links.tsx'
import { AmountField, useMoney } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { SendButton } from '../../kit/send-button.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { newLinkKey } from './payment-link.tsx'
import { SESSION_TEXTS } from './texts/texts.ts'

interface Draft {
  amount: number | null
  customer: string | null
  email: string
  description: string
  reference: string
}

/** The form of a payment link. */
export default function NewLinkPage() {
  const t = useTexts(SESSION_TEXTS)
  const { customer = null } = useQueryOfPage()
  return (
    <Page title={t.newTitle} breadcrumbs={[{ label: t.title, to: 'sessions' }]}>
      <p>{t.newText}</p>
      <LinkForm customer={customer} />
    </Page>
  )
}

function LinkForm({ customer }: { customer: string | null }) {
  const t = useTexts(SESSION_TEXTS)
  const money = useMoney()
  const [draft, setDraft] = useState<Draft>({ amount: null, customer, email: '', description: '', reference: '' })
  const { missing, error, isSending, send } = useSend(draft)
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const verb = draft.amount ? fill(t.createOf, { amount: money(draft.amount) }) : t.create
  return (
    <Card title={t.link}>
      <form className="stack" onSubmit={send} noValidate>
        <FormProblems error={error} labels={{ amount_total: t.amount, customer_email: t.email }} />
        <AmountField
          label={t.amount}
          value={draft.amount}
          error={missing.amount}
          required
          maw={240}
          onChange={(amount) => set({ amount })}
        />
        <CustomerPicker
          label={t.forWhom}
          description={t.forWhomHint}
          value={draft.customer}
          error={missing.customer}
          maw={480}
          onChange={(chosen) => set({ customer: chosen, email: '' })}
        />
        {draft.customer === null && (
          <TextInput
            type="email"
            label={t.orEmail}
            description={t.emailHint}
            value={draft.email}
            maw={480}
            onChange={({ currentTarget }) => set({ email: currentTarget.value })}
          />
        )}
        <Optional draft={draft} set={set} />
        <div>
          <SendButton error={error} loading={isSending}>
            {verb}
          </SendButton>
        </div>
      </form>
    </Card>
  )
}

interface OptionalProps {
  draft: Draft
  set(change: Partial<Draft>): void
}

function Optional({ draft, set }: OptionalProps) {
  const t = useTexts(SESSION_TEXTS)
  const fields = [
    { name: 'description', label: t.description, hint: t.descriptionHint },
    { name: 'reference', label: t.reference, hint: t.referenceHint },
  ] as const
  return fields.map(({ name, label, hint }) => (
    <TextInput
      key={name}
      label={label}
      description={hint}
      value={draft[name]}
      maxLength={255}
      maw={480}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
    />
  ))
}

function useSend(draft: Draft) {
  const t = useTexts(SESSION_TEXTS)
  const [call, go, invalidate, money] = [useCall(), useGo(), useInvalidate(), useMoney()]
  const cache = useQueryClient()
  const [isTried, setTried] = useState(false)
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const email = draft.email.trim()
  const missing = {
    amount: isTried && !draft.amount ? fill(t.needsAmount, { amount: money(1) }) : null,
    customer: isTried && draft.customer === null && email === '' ? t.needsCustomer : null,
  }
  async function send(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (!draft.amount || (draft.customer === null && email === '') || isSending) return
    setSending(true)
    setError(null)
    try {
      const body = { amount_total: draft.amount, ...optional(draft) }
      const { id, checkout_url: url } = await call('POST /checkout_sessions', { body })
      cache.setQueryData(newLinkKey(id), url)
      await invalidate('GET /checkout_sessions')
      await go(`sessions/${id}`)
    } catch (refused) {
      setError(refused)
    } finally {
      setSending(false)
    }
  }
  return { missing, error, isSending, send }
}

function optional({ customer, email, description, reference }: Draft) {
  const texts = { customer_email: email.trim(), description: description.trim(), client_reference_id: reference.trim() }
  return {
    ...(customer !== null && { customer_id: customer }),
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
  }
}
