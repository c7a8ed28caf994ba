import { Button, Radio, Select, TextInput } from '@mantine/core'
import { FREQUENCIES, type FrequencyLabel } from '../../../contract/dashboard/subscription-words.ts'
import { Card } from '../../kit/detail.tsx'
import { FREQUENCY_TEXTS } from '../../kit/frequency-texts/frequency-texts.ts'
import { AppLink } from '../../kit/links.tsx'
import { AmountField } from '../../kit/money.tsx'
import { ActivePricePicker } from '../../kit/price-picker.tsx'
import { useRead } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import type { NewSubscription, PriceLine } from './new-subscription-form.ts'
import type { PartProps } from './part-props.ts'
import { TEXTS } from './texts/texts.ts'

export function WhatPart({ form, change, errors }: PartProps) {
  const t = useTexts(TEXTS)
  const words = useTexts(FREQUENCY_TEXTS)
  return (
    <Card title={t.whatKind}>
      <div className="stack">
        <Radio.Group
          aria-label={t.whatKind}
          value={form.whatKind}
          onChange={(value) => change({ whatKind: value as NewSubscription['whatKind'] })}
        >
          <div className="choices">
            <Radio value="prices" label={t.byPrice} />
            <Radio value="amount" label={t.byAmount} />
          </div>
        </Radio.Group>
        {form.whatKind === 'prices' ? (
          <Prices lines={form.prices} errors={errors} onChange={(prices) => change({ prices })} />
        ) : (
          <div className="price-row">
            <AmountField
              label={t.amount}
              withAsterisk
              value={form.amount}
              error={errors.amount}
              onChange={(amount) => change({ amount })}
            />
            <Select
              label={t.frequency}
              value={form.frequency}
              data={FREQUENCIES.map(({ label: value }) => ({ value, label: words[value] }))}
              onChange={(value) => value !== null && change({ frequency: value as FrequencyLabel })}
            />
          </div>
        )}
      </div>
    </Card>
  )
}

interface PricesProps {
  lines: PriceLine[]
  errors: Record<string, string>
  onChange(lines: PriceLine[]): void
}

function Prices({ lines, errors, onChange }: PricesProps) {
  const t = useTexts(TEXTS)
  const found = useRead('GET /prices/search', { query: { recurring: true, active: true, limit: 1 } })
  const change = (key: string, changes: Partial<PriceLine>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...changes } : line)))
  return (
    <>
      {found.data?.data.length === 0 && <NoPrices />}
      {lines.map(({ key, price, quantity }, index) => (
        <div key={key} className="price-row">
          <ActivePricePicker
            label={t.price}
            withAsterisk
            value={price}
            error={errors[`items.${index}.price`]}
            onChange={(value) => change(key, { price: value })}
          />
          <TextInput
            label={t.quantity}
            inputMode="numeric"
            w={90}
            value={String(quantity)}
            error={errors[`items.${index}.quantity`]}
            onChange={({ currentTarget }) =>
              change(key, { quantity: Number(currentTarget.value.replace(/\D/g, '')) || 1 })
            }
          />
          {lines.length > 1 && (
            <Button variant="default" onClick={() => onChange(lines.filter((line) => line.key !== key))}>
              {t.removePrice}
            </Button>
          )}
        </div>
      ))}
      <div>
        <Button
          variant="default"
          size="sm"
          onClick={() => onChange([...lines, { key: crypto.randomUUID(), price: null, quantity: 1 }])}
        >
          {t.addPrice}
        </Button>
      </div>
    </>
  )
}

function NoPrices() {
  const t = useTexts(TEXTS)
  return (
    <p>
      {t.noPrices} <AppLink to="products">{t.toProducts}</AppLink>
    </p>
  )
}
