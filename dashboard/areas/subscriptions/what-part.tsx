import { Button, Radio, Select, TextInput } from '@mantine/core'
import { FREQUENCIES, type FrequencyLabel, frequencyOf } from '../../../contract/dashboard/subscription-words.ts'
import { Card } from '../../kit/detail.tsx'
import { AppLink } from '../../kit/links.tsx'
import { AmountField, useMoney } from '../../kit/money.tsx'
import { useRead } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import type { NewSubscription, PriceLine } from './new-subscription-form.ts'
import type { PartProps } from './part-props.ts'
import { TEXTS } from './texts/texts.ts'

export function WhatPart({ form, change, errors }: PartProps) {
  const t = useTexts(TEXTS)
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
              data={FREQUENCIES.map(({ label: value }) => ({ value, label: t[value] }))}
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
  const { options, isEmpty } = usePriceOptions()
  const change = (key: string, changes: Partial<PriceLine>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...changes } : line)))
  return (
    <>
      {isEmpty && <NoPrices />}
      {lines.map(({ key, price, quantity }, index) => (
        <div key={key} className="price-row">
          <Select
            label={t.price}
            searchable
            withAsterisk
            value={price}
            data={options}
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

/** Recurring prices that are for sale: `Gold · $25.00 · Monthly`. */
function usePriceOptions() {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const prices = useRead('GET /prices', { query: { active: true, limit: 100 } }).data?.data
  const products = useRead('GET /products', { query: { active: true, limit: 100 } }).data?.data ?? []
  const names = new Map(products.map(({ id, name }) => [id, name]))
  const options = (prices ?? []).flatMap(({ id, product, unit_amount, recurring, nickname }) => {
    if (recurring === null || !names.has(product)) return []
    const frequency = t[frequencyOf(recurring.interval, recurring.interval_count).label]
    const parts = [names.get(product), nickname, money(unit_amount), frequency]
    return [{ value: id, label: parts.filter(Boolean).join(' · ') }]
  })
  return { options, isEmpty: prices?.every(({ recurring }) => recurring === null) === true }
}
