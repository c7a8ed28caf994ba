import { Button, TextInput } from '@mantine/core'
import { fill, useTexts } from '../../kit/texts.ts'
import { CUSTOMER_TEXTS } from './texts/texts.ts'

export interface MetadataRow {
  /** React key of the row, not the key of the entry. */
  key: string
  name: string
  value: string
}

/** Input for a customer. */
export interface CustomerDraft {
  name: string
  email: string
  phone: string
  metadata: MetadataRow[]
}

type Metadata = Record<string, string | number | boolean>

const newRow = (name = '', value = ''): MetadataRow => ({ key: crypto.randomUUID(), name, value })

export function draftOf({
  name,
  email,
  phone,
  metadata,
}: {
  name: string | null
  email: string | null
  phone: string | null
  metadata: Metadata
}): CustomerDraft {
  const rows = Object.entries(metadata).map(([entry, value]) => newRow(entry, String(value)))
  return { name: name ?? '', email: email ?? '', phone: phone ?? '', metadata: rows }
}

/** Returns metadata without entries that have no name; a value that was not changed keeps its type. */
export function metadataOf(rows: readonly MetadataRow[], before: Metadata): Metadata {
  const named = rows.filter(({ name }) => name.trim() !== '')
  return Object.fromEntries(
    named.map(({ name, value }) => [name.trim(), String(before[name]) === value ? (before[name] ?? value) : value]),
  )
}

type Person = Parameters<typeof draftOf>[0]

/** Applies a draft to what somebody else has changed meanwhile: only fields that were edited keep their input. */
export function rebased(draft: CustomerDraft, before: Person, now: Person): CustomerDraft {
  const [old, current] = [draftOf(before), draftOf(now)]
  const field = (name: 'name' | 'email' | 'phone') => (draft[name] === old[name] ? current[name] : draft[name])
  const isSame = JSON.stringify(metadataOf(draft.metadata, before.metadata)) === JSON.stringify(before.metadata)
  return {
    name: field('name'),
    email: field('email'),
    phone: field('phone'),
    metadata: isSame ? current.metadata : draft.metadata,
  }
}

interface FieldsProps {
  draft: CustomerDraft
  onChange(draft: CustomerDraft): void
  errors: Partial<Record<string, string>>
  /** Other people's changes, shown below each field. */
  marks?: Partial<Record<'name' | 'email' | 'phone' | 'metadata', string>>
}

const ENTRIES_MAX = 50

export function CustomerFields({ draft, onChange, errors, marks = {} }: FieldsProps) {
  const t = useTexts(CUSTOMER_TEXTS)
  const set = (change: Partial<CustomerDraft>) => onChange({ ...draft, ...change })
  return (
    <>
      {(['name', 'email', 'phone'] as const).map((field) => (
        <TextInput
          key={field}
          label={t[field]}
          type={{ name: 'text', email: 'email', phone: 'tel' }[field]}
          autoComplete="off"
          value={draft[field]}
          error={errors[field]}
          description={marks[field]}
          maxLength={field === 'phone' ? 50 : 254}
          onChange={({ currentTarget }) => set({ [field]: currentTarget.value })}
        />
      ))}
      <MetadataFields
        rows={draft.metadata}
        onChange={(metadata) => set({ metadata })}
        error={errors.metadata}
        mark={marks.metadata}
      />
    </>
  )
}

interface MetadataProps {
  rows: MetadataRow[]
  onChange(rows: MetadataRow[]): void
  error: string | undefined
  mark: string | undefined
}

function MetadataFields({ rows, onChange, error, mark }: MetadataProps) {
  const t = useTexts(CUSTOMER_TEXTS)
  const change = (key: string, given: Partial<MetadataRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...given } : row)))
  return (
    <fieldset className="metadata">
      <legend className="label">{t.metadata}</legend>
      {mark && <p className="dimmed">{mark}</p>}
      {error && <p role="alert">{error}</p>}
      {rows.map(({ key, name, value }, index) => (
        <div key={key} className="metadata-row">
          <TextInput
            aria-label={fill(t.metadataName, { number: index + 1 })}
            value={name}
            maxLength={40}
            onChange={({ currentTarget }) => change(key, { name: currentTarget.value })}
          />
          <TextInput
            aria-label={fill(t.metadataValue, { number: index + 1 })}
            value={value}
            maxLength={500}
            onChange={({ currentTarget }) => change(key, { value: currentTarget.value })}
          />
          <Button
            variant="default"
            aria-label={fill(t.removeEntry, { number: index + 1 })}
            onClick={() => onChange(rows.filter((row) => row.key !== key))}
          >
            ×
          </Button>
        </div>
      ))}
      {rows.length < ENTRIES_MAX && (
        <Button variant="default" size="sm" onClick={() => onChange([...rows, newRow()])}>
          {t.addEntry}
        </Button>
      )}
    </fieldset>
  )
}
