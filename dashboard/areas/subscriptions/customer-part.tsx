import { Radio, TextInput } from '@mantine/core'
import CustomerPicker from '../../kit/customer-picker.tsx'
import { Card } from '../../kit/detail.tsx'
import { useTexts } from '../../kit/texts.ts'
import type { NewSubscription } from './new-subscription-form.ts'
import type { PartProps } from './part-props.ts'
import { TEXTS } from './texts/texts.ts'

export function CustomerPart({ form, change, errors }: PartProps) {
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
          <CustomerPicker
            label={t.searchCustomer}
            withAsterisk
            value={form.customer}
            onChange={(id) => change({ customer: id, card: null, contract: null })}
            error={errors.customer}
          />
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
