import { Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useBusiness } from '../../kit/me.ts'
import type { Field } from './fields.ts'

/** Lists longer than this have a search field. */
const SEARCHABLE = 12

/** Width of the input only: its label and hint may be as wide as others. */
const SHORT = { wrapper: { maxWidth: 240 } }

interface FieldInputProps {
  field: Field
  value: string
  error: string | undefined
  onChange(value: string): void
}

export function FieldInput({ field, value, error, onChange }: FieldInputProps) {
  const { currency } = useBusiness()
  const { kind, label, hint, isRequired, options, type } = field
  const shared = { label, description: hint, error, maw: 520, ...(isRequired && { withAsterisk: true }) }
  if (kind === 'toggle')
    return (
      <Switch
        {...{ label, description: hint, error }}
        checked={value === 'true'}
        onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
      />
    )
  if (kind === 'select')
    return (
      <Select
        {...shared}
        data={options ?? []}
        searchable={(options?.length ?? 0) > SEARCHABLE}
        value={value}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    )
  if (kind === 'lines' || kind === 'list')
    return (
      <Textarea
        {...shared}
        autosize
        minRows={2}
        maxRows={8}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  return (
    <TextInput
      {...shared}
      {...(type && { type })}
      {...(kind === 'amount' && { rightSection: <span className="unit">{currency}</span>, rightSectionWidth: 52 })}
      {...(kind !== 'text' && { inputMode: 'decimal' as const, styles: SHORT })}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
