import { Button, Select, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { CONTRACT_PLACEHOLDERS } from '../../../contract/dashboard/contract-placeholders.ts'
import { CallError, useCall } from '../../kit/call.ts'
import CustomerPicker from '../../kit/customer-picker.tsx'
import { Card } from '../../kit/detail.tsx'
import { FormProblems } from '../../kit/form.tsx'
import { LANGUAGE_NAMES } from '../../kit/language-names.ts'
import { useGo, useQueryOfPage } from '../../kit/links.tsx'
import { LOCALES, type Locale } from '../../kit/locale.ts'
import { Page } from '../../kit/page.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { SendButton } from '../../kit/send-button.tsx'
import { useLocale, useTexts } from '../../kit/texts.ts'
import type { ContractDraft } from './contract-draft.ts'
import { ContractPreview } from './contract-preview.tsx'
import { SubscriptionPicker } from './subscription-picker.tsx'
import { CONTRACT_TEXTS } from './texts/texts.ts'

export default function NewContractPage() {
  const t = useTexts(CONTRACT_TEXTS)
  const { customer = null, subscription = null } = useQueryOfPage()
  const locale = useLocale()
  const [draft, setDraft] = useState<ContractDraft>({ customer, subscription, locale, title: '', text: '' })
  return (
    <Page title={t.new} breadcrumbs={[{ label: t.title, to: 'contracts' }]}>
      <p>{t.newText}</p>
      <div className="cards">
        <ContractForm draft={draft} onChange={(change) => setDraft({ ...draft, ...change })} />
        <ContractPreview draft={draft} />
      </div>
    </Page>
  )
}

interface FormProps {
  draft: ContractDraft
  onChange(change: Partial<ContractDraft>): void
}

function ContractForm({ draft, onChange }: FormProps) {
  const t = useTexts(CONTRACT_TEXTS)
  const { error, isMissing, isSending, send } = useSend(draft)
  const { textWith } = useTemplate(draft)
  const errors = error instanceof CallError ? error.errors : {}
  return (
    <Card title={t.details}>
      <form className="stack" onSubmit={send} noValidate>
        {isMissing && <p role="alert">{t.needsAll}</p>}
        <FormProblems error={error} labels={{ title: t.name, text: t.text, customer: t.customer }} />
        <CustomerPicker
          label={t.forWhom}
          description={t.forWhomHint}
          value={draft.customer}
          onChange={(customer) => onChange({ customer, subscription: null, text: textWith(null) })}
        />
        {draft.customer !== null && (
          <SubscriptionPicker
            customer={draft.customer}
            value={draft.subscription}
            description={t.subscriptionHint}
            onChange={(subscription) => onChange({ subscription, text: textWith(subscription) })}
          />
        )}
        <TextInput
          label={t.name}
          value={draft.title}
          maxLength={255}
          error={errors.title}
          onChange={({ currentTarget }) => onChange({ title: currentTarget.value })}
        />
        <ContractText draft={draft} onChange={onChange} error={errors.text} />
        <div>
          <SendButton error={error} loading={isSending}>
            {t.create}
          </SendButton>
        </div>
      </form>
    </Card>
  )
}

/** Without a subscription, amount, frequency and start are not known. */
function useTemplate({ subscription, text }: ContractDraft) {
  const t = useTexts(CONTRACT_TEXTS)
  const templateOf = (chosen: string | null) => (chosen === null ? t.templateAlone : t.template)
  const template = templateOf(subscription)
  return {
    template,
    /** Replaces a template that nobody has edited by the template of the chosen subscription. */
    textWith: (chosen: string | null) => (text === template ? templateOf(chosen) : text),
  }
}

function ContractText({ draft, onChange, error }: FormProps & { error: string | undefined }) {
  const t = useTexts(CONTRACT_TEXTS)
  const { template } = useTemplate(draft)
  return (
    <>
      <Select
        label={t.language}
        data={LOCALES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        value={draft.locale}
        allowDeselect={false}
        onChange={(locale) => onChange({ locale: (locale ?? 'en') as Locale })}
      />
      {draft.text === '' && (
        <div>
          <Button variant="default" onClick={() => onChange({ text: template, title: draft.title || t.templateTitle })}>
            {t.useTemplate}
          </Button>
        </div>
      )}
      <Textarea
        label={t.text}
        rows={16}
        value={draft.text}
        maxLength={100_000}
        error={error}
        onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
      <fieldset className="contract-placeholders">
        <legend className="label">{t.placeholders}</legend>
        <p className="dimmed">{t.placeholdersHint}</p>
        <div className="contract-names">
          {CONTRACT_PLACEHOLDERS.map((name) => (
            <Button
              key={name}
              variant="default"
              size="compact-md"
              onClick={() => onChange({ text: `${draft.text}{{${name}}}` })}
            >
              {`{{${name}}}`}
            </Button>
          ))}
        </div>
      </fieldset>
    </>
  )
}

function useSend({ customer, subscription, ...written }: ContractDraft) {
  const [call, go, invalidate] = [useCall(), useGo(), useInvalidate()]
  const [error, setError] = useState<unknown>(null)
  const [isMissing, setMissing] = useState(false)
  const [isSending, setSending] = useState(false)
  async function send(event: FormEvent) {
    event.preventDefault()
    const title = written.title.trim()
    const lacks = customer === null || title === '' || written.text.trim() === ''
    setMissing(lacks)
    if (customer === null || lacks || isSending) return
    setSending(true)
    setError(null)
    try {
      const body = { ...written, title, customer, ...(subscription !== null && { subscription }) }
      const { id } = await call('POST /contracts', { body })
      await invalidate('GET /contracts', 'GET /customers/{id}')
      await go(`contracts/${id}`)
    } catch (refused) {
      setError(refused)
    } finally {
      setSending(false)
    }
  }
  return { error, isMissing, isSending, send }
}
