import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useRead } from './read.ts'

interface CustomerPickerProps extends Omit<SelectProps, 'value' | 'onChange' | 'data'> {
  /** The id; `null` while nobody is chosen. */
  value: string | null
  onChange(id: string | null): void
}

interface Person {
  id: string
  name: string | null
  email: string | null
}

const WAIT_MS = 200
const SHOWN = 20

export const personName = ({ name, email, id }: Person): string => name ?? email ?? id
const personLine = ({ name, email, id }: Person) =>
  name && email ? `${name} (${email})` : personName({ name, email, id })

/** Finds a customer by a part of the name or the e-mail address. */
export default function CustomerPicker({ value, onChange, ...rest }: CustomerPickerProps) {
  const [text, setText] = useState('')
  // What was chosen is not searched for.
  const [search] = useDebouncedValue(text.replace(/ \(.*\)$/, '').trim(), WAIT_MS)
  const found = useRead('GET /customers', {
    query: { limit: SHOWN, ...(search && { search }) },
    keepPrevious: true,
  })
  const chosen = useRead('GET /customers', { query: { search: value ?? '' }, enabled: value !== null })
  const people: Person[] = [...(chosen.data?.data ?? []), ...(found.data?.data ?? [])]
  const data = new Map(people.map((person) => [person.id, personLine(person)]))
  return (
    <Select
      searchable
      clearable
      {...rest}
      data={[...data].map(([id, label]) => ({ value: id, label }))}
      // The server has matched already.
      filter={({ options }) => options}
      value={value}
      onChange={onChange}
      onSearchChange={setText}
    />
  )
}
