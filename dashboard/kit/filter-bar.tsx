import { Button, Menu, Select, TextInput } from '@mantine/core'
import { type FormEvent, memo, Suspense, useState } from 'react'
import { fill } from '../../contract/text.ts'
import { DropMenu } from './drop-menu.tsx'
import { type Filter, type FilterValues, membersOf, useFilters } from './filters.ts'
import { Icon } from './icons.tsx'
import { KIT_TEXTS } from './kit-texts.ts'
import { AmountField } from './money.tsx'
import { useTexts } from './texts.ts'
import { DayField } from './time.tsx'

/** The filters that are set, and a menu of the others. */
export const FilterBar = memo(function FilterBar({ filters }: { filters: Filter[] }) {
  const t = useTexts(KIT_TEXTS)
  const [values, change] = useFilters()
  const [added, setAdded] = useState<string[]>([])
  const isShown = (filter: Filter) =>
    added.includes(filter.id) || membersOf(filter).some((member) => values[member] !== undefined)
  const shown = filters.filter(isShown)
  const others = filters.filter((filter) => !isShown(filter))
  const remove = (filter: Filter) => {
    setAdded(added.filter((id) => id !== filter.id))
    return change(Object.fromEntries(membersOf(filter).map((member) => [member, ''])))
  }
  const clear = () => {
    setAdded([])
    return change(Object.fromEntries(filters.flatMap(membersOf).map((member) => [member, ''])))
  }
  const add = (filter: Filter) => {
    if (filter.kind === 'toggle') return void change({ [filter.id]: 'true' })
    setAdded([...added, filter.id])
  }
  return (
    <div className="filter-bar">
      {shown.map((filter) => (
        <FilterField key={filter.id} {...{ filter, values, change }} onRemove={() => void remove(filter)} />
      ))}
      {others.length > 0 && (
        <DropMenu
          position="bottom-start"
          target={
            <Button variant="default" size="sm" leftSection={<Icon name="filter" />}>
              {t.addFilter}
            </Button>
          }
        >
          {others.map((filter) => (
            <Menu.Item key={filter.id} onClick={() => add(filter)}>
              {filter.label}
            </Menu.Item>
          ))}
        </DropMenu>
      )}
      {shown.length > 1 && (
        <Button variant="subtle" size="sm" onClick={() => void clear()}>
          {t.clearFilters}
        </Button>
      )}
    </div>
  )
})

interface FieldProps {
  filter: Filter
  values: FilterValues
  change(changes: FilterValues): Promise<void>
  onRemove(): void
}

function FilterField(props: FieldProps) {
  const t = useTexts(KIT_TEXTS)
  const { filter, onRemove } = props
  return (
    <fieldset className="filter">
      <legend className="only-read">{filter.label}</legend>
      <span aria-hidden="true" className="filter-name">
        {filter.label}
      </span>
      <FilterInput {...props} />
      <button
        type="button"
        className="filter-remove"
        aria-label={fill(t.removeFilter, { label: filter.label })}
        onClick={onRemove}
      >
        <Icon name="bad" size={14} />
      </button>
    </fieldset>
  )
}

const WIDTH = 220

function FilterInput({ filter, values, change }: FieldProps) {
  const { id, kind, label, picker: Picker, width = WIDTH } = filter
  if (kind === 'toggle') return null
  if (kind === 'days' || kind === 'amount') return <RangeInput {...{ filter, values, change }} />
  if (kind === 'text') return <TextFilter {...{ id, label, value: values[id] ?? '', change }} />
  if (Picker) {
    const pick = (value: string | null) => void change({ [id]: value ?? '' })
    return (
      <Suspense fallback={null}>
        <Picker size="sm" w={width} maw="100%" aria-label={label} value={values[id] ?? null} onChange={pick} />
      </Suspense>
    )
  }
  return (
    <Select
      size="sm"
      aria-label={label}
      data={filter.options ?? []}
      value={values[id] ?? null}
      onChange={(value) => void change({ [id]: value ?? '' })}
      w={WIDTH}
      maw="100%"
    />
  )
}

function RangeInput({ filter, values, change }: Omit<FieldProps, 'onRemove'>) {
  const t = useTexts(KIT_TEXTS)
  const [from = '', to = ''] = membersOf(filter)
  const ends = [
    { member: from, label: fill(t.fromOf, { label: filter.label }), sign: t.from },
    { member: to, label: fill(t.toOf, { label: filter.label }), sign: t.to },
  ]
  return ends.map(({ member, label, sign }) => (
    <span key={member} className="filter-end">
      <span aria-hidden="true">{sign}</span>
      {filter.kind === 'days' ? (
        <DayFilter {...{ label, member, change }} value={values[member] ?? ''} />
      ) : (
        <AmountFilter {...{ label, member, change }} value={values[member] ?? ''} />
      )}
    </span>
  ))
}

interface OneValue {
  label: string
  value: string
  change(changes: FilterValues): Promise<void>
}

interface OneEnd extends OneValue {
  member: string
}

/** Keeps the input until the URL has a different value: a view was applied, or the list was opened again. */
function useTyped<Value>(given: Value): [typed: Value, setTyped: (typed: Value) => void] {
  const [typed, setTyped] = useState(given)
  const [last, setLast] = useState(given)
  if (given !== last) {
    setLast(given)
    setTyped(given)
  }
  return [typed, setTyped]
}

/** Earliest day of a filter: while 2026 is being typed, the year is 2, 20 and 202. */
const FIRST_DAY = '1900-01-01'

/** Filter by day. It is applied once the day is complete, or when the field loses focus. */
function DayFilter({ label, member, value, change }: OneEnd) {
  const [day, setDay] = useTyped(value)
  const apply = (to: string) => to !== value && void change({ [member]: to })
  const type = (to: string) => {
    setDay(to)
    if (to >= FIRST_DAY) apply(to)
  }
  return <DayField size="sm" aria-label={label} value={day} onChange={type} onBlur={() => apply(day)} />
}

/** Filter by amount. It is applied when the field loses focus, or with Enter. An invalid amount changes nothing. */
function AmountFilter({ label, member, value, change }: OneEnd) {
  const [cents, setCents] = useTyped(/^\d+$/.test(value) ? Number(value) : null)
  const [isEmpty, setEmpty] = useState(false)
  const apply = () => {
    const to = cents === null ? '' : String(cents)
    if (to !== value && (to !== '' || isEmpty)) void change({ [member]: to })
  }
  return (
    <form onSubmit={(event) => submit(event, apply)}>
      <AmountField
        size="sm"
        w={120}
        aria-label={label}
        value={cents}
        onChange={setCents}
        onInput={({ currentTarget }) => setEmpty(currentTarget.value.trim() === '')}
        onBlur={apply}
      />
    </form>
  )
}

function TextFilter({ id, label, value, change }: OneValue & { id: string }) {
  const [text, setText] = useTyped(value)
  const apply = () => text.trim() !== value && void change({ [id]: text.trim() })
  return (
    <form onSubmit={(event) => submit(event, apply)}>
      <TextInput
        size="sm"
        aria-label={label}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={apply}
      />
    </form>
  )
}

function submit(event: FormEvent, apply: () => void): void {
  event.preventDefault()
  apply()
}
