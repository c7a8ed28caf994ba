import { Select } from '@mantine/core'
import { useMoney } from '../../kit/money.tsx'
import { useRead } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import { CONTRACT_TEXTS } from './texts/texts.ts'

interface SubscriptionPickerProps {
  customer: string
  value: string | null
  onChange(id: string | null): void
  description?: string
}

const LINKABLE = ['pending_payment_method', 'active', 'paused']

/** The subscriptions of a customer that have no contract and have not ended. */
export function SubscriptionPicker({ customer, value, onChange, description }: SubscriptionPickerProps) {
  const t = useTexts(CONTRACT_TEXTS)
  const money = useMoney()
  const { data } = useRead('GET /customers/{id}', { params: { id: customer } })
  const open = (data?.view.subscriptions.data ?? []).filter(
    ({ status, contract }) => LINKABLE.includes(status) && contract === null,
  )
  if (data && open.length === 0) return <p className="dimmed">{t.linkNone}</p>
  return (
    <Select
      label={t.subscription}
      description={description}
      placeholder={t.noSubscription}
      clearable
      maw={480}
      data={open.map(({ id, description: what, amount, currency }) => ({
        value: id,
        label: `${what}, ${money(amount, currency)}`,
      }))}
      value={value}
      onChange={onChange}
    />
  )
}
