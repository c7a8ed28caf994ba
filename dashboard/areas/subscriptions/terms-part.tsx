import { Select, TextInput } from '@mantine/core'
import { Card } from '../../kit/detail.tsx'
import { useMay } from '../../kit/me.ts'
import { useTexts } from '../../kit/texts.ts'
import { DayField, useToday } from '../../kit/time.tsx'
import type { FormErrors, NewSubscription } from './new-subscription-form.ts'
import type { PartProps } from './part-props.ts'
import { TEXTS } from './texts/texts.ts'

export function TermsPart({ form, change, errors, customer, problems }: PartProps & { problems: FormErrors }) {
  const t = useTexts(TEXTS)
  const today = useToday()
  const number = (field: 'installments' | 'taxRate' | 'surchargeRate', sent: string) => ({
    inputMode: 'decimal' as const,
    value: form[field],
    error: problems[field] ? t.notNumber : errors[sent],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      change({ [field]: currentTarget.value } as Partial<NewSubscription>),
  })
  return (
    <Card title={t.schedule}>
      <div className="choices">
        <DayField
          label={t.startDate}
          value={form.startDate === '' ? today : form.startDate}
          min={today}
          max={`${Number(today.slice(0, 4)) + 1}${today.slice(4)}`}
          error={errors.start_date}
          onChange={(day) => change({ startDate: day === today ? '' : day })}
        />
        <TextInput
          label={t.installments}
          description={t.installmentsHint}
          {...number('installments', 'installments')}
        />
        <TextInput label={t.taxRate} description={t.taxHint} {...number('taxRate', 'tax_rate')} />
        <TextInput
          label={t.surchargeRate}
          description={t.surchargeHint}
          {...number('surchargeRate', 'surcharge_rate')}
        />
        <TextInput
          label={t.reference}
          value={form.reference}
          maxLength={255}
          error={errors.reference}
          onChange={({ currentTarget }) => change({ reference: currentTarget.value })}
        />
        <ContractField {...{ form, change, errors, customer }} />
      </div>
    </Card>
  )
}

const NONE = 'none'

/** Contracts that can be chosen for a new subscription; further ones are created later. */
function ContractField({ form, change, errors, customer }: PartProps) {
  const t = useTexts(TEXTS)
  const mayWrite = useMay('contracts.write')
  const contracts = (customer?.view.contracts.data ?? []).filter(
    ({ status, subscription }) => status !== 'void' && subscription === null,
  )
  const hint = mayWrite ? t.contractHint : null
  if (contracts.length === 0) return hint && <p className="dimmed">{hint}</p>
  const options = contracts.map(({ id, title, status }) => ({
    value: id,
    label: `${title} (${t[`contract_${status}`]})`,
  }))
  return (
    <Select
      label={t.contract}
      description={hint}
      value={form.contract ?? NONE}
      data={[{ value: NONE, label: t.noContract }, ...options]}
      error={errors.contract}
      onChange={(value) => change({ contract: value === NONE ? null : value })}
    />
  )
}
