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
/** Maximum number of items that a list returns at once. */
const MOST = 100

/** Subscriptions of a customer that have not ended and have either no contract or a void one, newest first. */
export function SubscriptionPicker({ customer, value, onChange, description }: SubscriptionPickerProps) {
  const t = useTexts(CONTRACT_TEXTS)
  const money = useMoney()
  const { data } = useRead('GET /subscriptions', { query: { customer, limit: MOST } })
  const open = (data?.data ?? []).filter(
    ({ status, contract }) => LINKABLE.includes(status) && (contract === null || contract.status === 'void'),
  )
  if (data && open.length === 0) return <p className="dimmed">{t.linkNone}</p>
  return (
    <Select
      label={t.subscription}
      description={description}
      placeholder={t.noSubscription}
      clearable
      maw={480}
      data={open.map(({ id, amount, currency, view }) => ({
        value: id,
        label: `${view.description}, ${money(amount, currency)}`,
      }))}
      value={value}
      onChange={onChange}
    />
  )
}
