import { Radio, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { Card } from '../../kit/detail.tsx'
import { useRead } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import type { NewSubscription } from './new-subscription-form.ts'
import type { PartProps } from './part-props.ts'
import { TEXTS } from './texts/texts.ts'

const TYPING_MS = 250

export function CustomerPart({ form, change, errors, customer }: PartProps) {
  const t = useTexts(TEXTS)
  return (
    <Card title={t.customer}>
      <div className="stack">
        <Radio.Group
          aria-label={t.customerKind}
          value={form.customerKind}
          onChange={(value) => change({ customerKind: value as NewSubscription['customerKind'] })}
        >
          <div className="choices">
            <Radio value="known" label={t.chooseCustomer} />
            <Radio value="new" label={t.newCustomer} />
          </div>
        </Radio.Group>
        {form.customerKind === 'known' ? (
          <CustomerField {...{ form, change, errors, customer }} />
        ) : (
          <>
            <TextInput
              label={t.name}
              value={form.name}
              onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            />
            <TextInput
              label={t.email}
              type="email"
              withAsterisk
              value={form.email}
              error={errors['new_customer.email']}
              onChange={({ currentTarget }) => change({ email: currentTarget.value })}
            />
          </>
        )}
      </div>
    </Card>
  )
}

interface Named {
  id: string
  name: string | null
  email: string | null
}

function CustomerField({ form, change, errors, customer }: PartProps) {
  const t = useTexts(TEXTS)
  const [search, setSearch] = useState('')
  const [q] = useDebouncedValue(search.trim(), TYPING_MS)
  const { data } = useRead('GET /customers', {
    query: { limit: 20, ...(q !== '' && !q.includes(' · ') && { search: q }) },
    keepPrevious: true,
  })
  const found: Named[] = data?.data ?? []
  const all = customer && !found.some(({ id }) => id === customer.id) ? [customer, ...found] : found
  const label = ({ name, email }: Named) => [name, email].filter(Boolean).join(' · ') || t.noName
  return (
    <Select
      label={t.searchCustomer}
      searchable
      withAsterisk
      value={form.customer}
      data={all.map((one) => ({ value: one.id, label: label(one) }))}
      filter={({ options }) => options}
      onSearchChange={setSearch}
      onChange={(id) => change({ customer: id, card: null, contract: null })}
      error={errors.customer}
    />
  )
}
