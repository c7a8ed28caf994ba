import { Alert, Radio, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { ResponseOf } from '../../../contract/dashboard/dashboard-api.ts'
import type { DashboardSale } from '../../../contract/dashboard/payments-api.ts'
import { CallError, useCall } from '../../kit/call.ts'
import { cardName } from '../../kit/card-name.ts'
import CustomerPicker from '../../kit/customer-picker.tsx'
import { Card, Fields } from '../../kit/detail.tsx'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { codeText, useGatewayTexts } from '../../kit/gateway-texts/gateway-texts.ts'
import { AppLink, useGo, useQueryOfPage } from '../../kit/links.tsx'
import { AmountField, useMoney } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { quietWhenStale, useAgreement, usePreview } from '../../kit/preview.ts'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { SendButton } from '../../kit/send-button.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { FiguresChanged, Was } from '../../kit/was.tsx'
import { PAYMENT_TEXTS } from './texts/texts.ts'
import { useChanged } from './use-changed.ts'

interface Draft {
  customer: string | null
  card: string | null
  amount: number | null
  description: string
}

interface ShownCard {
  id: string
  name: string
  /** Why the card cannot be charged; `null` if it can. */
  reason: string | null
}

/** Charges a saved card. */
export default function NewSalePage() {
  const t = useTexts(PAYMENT_TEXTS)
  const { customer = null, card = null } = useQueryOfPage()
  const [draft, setDraft] = useState<Draft>({ customer, card, amount: null, description: '' })
  const read = useCards(draft.customer)
  const chosen = read.cards.find(({ id, reason }) => reason === null && id === draft.card) ?? null
  const [isOpen, setOpen] = useState(false)
  const [result, setResult] = useState<SaleResult | null>(null)
  return (
    <Page title={t.saleTitle} breadcrumbs={[{ label: t.title, to: 'payments' }]}>
      <p>{t.saleText}</p>
      {result === 'unknown' ? <Unknown customer={draft.customer} /> : <Result sale={result} />}
      <Card title={t.sale}>
        <SaleForm {...{ draft, read, chosen }} onChange={setDraft} onSend={() => setOpen(true)} />
      </Card>
      {isOpen && chosen && <ChargeDialog {...{ draft, card: chosen, setResult }} onClose={() => setOpen(false)} />}
    </Page>
  )
}

interface SaleFormProps {
  draft: Draft
  read: ReturnType<typeof useCards>
  chosen: ShownCard | null
  onChange(draft: Draft): void
  onSend(): void
}

function SaleForm({ draft, read, chosen, onChange, onSend }: SaleFormProps) {
  const t = useTexts(PAYMENT_TEXTS)
  const [isTried, setTried] = useState(false)
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  const send = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (draft.amount && chosen) onSend()
  }
  return (
    <form className="stack" onSubmit={send} noValidate>
      <CustomerPicker
        label={t.customer}
        value={draft.customer}
        error={isTried && draft.customer === null ? t.needsCard : null}
        maw={480}
        onChange={(value) => set({ customer: value, card: null })}
      />
      {draft.customer !== null && (
        <CardChoice read={read} value={draft.card} isMissing={isTried && !chosen} onChange={(card) => set({ card })} />
      )}
      <AmountField
        label={t.amount}
        value={draft.amount}
        error={isTried && !draft.amount ? t.needsAmount : null}
        maw={240}
        onChange={(amount) => set({ amount })}
      />
      <TextInput
        label={t.saleDescription}
        description={t.saleDescriptionHint}
        value={draft.description}
        maxLength={255}
        maw={480}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
      <div>
        <SendButton error={null} movesMoney>
          {t.charge}
        </SendButton>
      </div>
    </form>
  )
}

function useCards(customer: string | null) {
  const t = useTexts(PAYMENT_TEXTS)
  const gateway = useGatewayTexts()
  const params = { id: customer ?? '' }
  const { data, error, refetch } = useRead('GET /customers/{id}', { params, enabled: customer !== null })
  const cards = customer === null ? [] : (data?.view.payment_methods ?? [])
  const reasonOf = ({ is_expired: isExpired, charge_block: code }: (typeof cards)[number]['view']) =>
    code === null ? (isExpired ? t.cardExpired : null) : fill(t.cardBlocked, { code: codeText(code, gateway) ?? code })
  const shown = cards
    .filter(({ status }) => status === 'active')
    .map(({ id, card: { brand, last4 }, view }) => ({ id, name: cardName(brand, last4), reason: reasonOf(view) }))
  return { cards: shown, isRead: data !== undefined, error, refetch }
}

interface CardChoiceProps {
  read: ReturnType<typeof useCards>
  value: string | null
  isMissing: boolean
  onChange(id: string): void
}

function CardChoice({ read, value, isMissing, onChange }: CardChoiceProps) {
  const t = useTexts(PAYMENT_TEXTS)
  if (!read.isRead) return <Refusal error={read.error} onRetry={() => void read.refetch()} />
  if (read.cards.length === 0) return <p>{t.noCards}</p>
  return (
    <Radio.Group label={t.card} value={value} onChange={onChange} error={isMissing ? t.needsCard : null}>
      <div className="stack">
        {read.cards.map(({ id, name, reason }) => (
          <Radio key={id} value={id} label={name} description={reason} disabled={reason !== null} />
        ))}
      </div>
    </Radio.Group>
  )
}

/** `unknown` means that the response was lost. */
type SaleResult = DashboardSale | 'unknown'

interface ChargeDialogProps {
  draft: Draft
  card: ShownCard
  setResult(result: SaleResult): void
  onClose(): void
}

function ChargeDialog({ draft, card, setResult, onClose }: ChargeDialogProps) {
  const t = useTexts(PAYMENT_TEXTS)
  const [call, go, changed, toast, money] = [useCall(), useGo(), useChanged(), useToast(), useMoney()]
  const order = { customer: draft.customer ?? '', payment_method: card.id, amount: draft.amount ?? 0 }
  const preview = usePreview('POST /sales/preview', { body: order, enabled: true })
  const { former, commit } = useAgreement(preview)
  const amount = money(preview.data?.total_amount ?? order.amount, preview.data?.currency.toUpperCase())
  async function charge(key: string): Promise<void> {
    const description = draft.description.trim()
    const body = {
      ...order,
      ...(description !== '' && { description }),
      ...(preview.data && { preview_hash: preview.data.preview_hash }),
    }
    const sale = await commit(() => call('POST /sales', { body, key })).catch((error: unknown) => {
      if (error instanceof CallError && error.isUnresolved) setResult('unknown')
      throw error
    })
    await changed()
    setResult(sale)
    if (sale.status !== 'succeeded') return
    toast(fill(t.saleDone, { amount }))
    await go(`payments/${sale.id}`)
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.chargeTitle}
      verb={fill(t.chargeVerb, { amount, card: card.name })}
      disabled={!preview.data || preview.isFetching}
      isOnce
      onConfirm={charge}
      refusalOf={quietWhenStale}
    >
      <FiguresChanged since={former} />
      <p>{t.chargeText}</p>
      <Refusal error={preview.error} />
      {preview.data && <Figures preview={preview.data} former={former} />}
      <p>{t.noLetter}</p>
    </ConfirmDialog>
  )
}

type SalePreview = ResponseOf<'POST /sales/preview'>

/** The amounts of the sale, as the server has computed them. */
function Figures({ preview, former }: { preview: SalePreview; former: SalePreview | null }) {
  const t = useTexts(PAYMENT_TEXTS)
  const money = useMoney()
  const shown = (figure: 'amount' | 'tax_amount' | 'surcharge_amount' | 'total_amount') => {
    const of = (one: SalePreview) => money(one[figure], one.currency.toUpperCase())
    return <Was former={former ? of(former) : undefined} now={of(preview)} />
  }
  return (
    <Fields
      items={[
        [t.amount, shown('amount')],
        [t.tax, shown('tax_amount')],
        [t.surcharge, shown('surcharge_amount')],
        [t.total, <strong key="total">{shown('total_amount')}</strong>],
      ]}
    />
  )
}

/** After an unknown outcome, a person who closes the dialog is warned not to charge the card a second time (DSH-6). */
function Unknown({ customer }: { customer: string | null }) {
  const t = useTexts(PAYMENT_TEXTS)
  return (
    <Alert color="yellow" variant="outline" role="status" title={t.saleUnknown}>
      <AppLink to={`payments?customer=${customer}`}>{t.showPayments}</AppLink>
    </Alert>
  )
}

/** Result of a sale that was not approved. */
function Result({ sale }: { sale: DashboardSale | null }) {
  const t = useTexts(PAYMENT_TEXTS)
  const gateway = useGatewayTexts()
  if (sale === null || sale.status === 'succeeded') return null
  const isPending = sale.status === 'pending'
  return (
    <Alert
      color={isPending ? 'yellow' : 'red'}
      variant="outline"
      role="status"
      title={
        isPending ? t.salePending : fill(t.saleDeclined, { message: codeText(sale.code, gateway) ?? sale.message })
      }
    >
      <AppLink to={`payments/${sale.id}`}>{t.showPayment}</AppLink>
    </Alert>
  )
}
