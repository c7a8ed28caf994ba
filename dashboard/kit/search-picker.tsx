import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { hasSearchWords } from '../../contract/search-text.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { useTexts } from './texts.ts'

/** A field that chooses an object by its id. */
export interface PickerFieldProps extends Omit<SelectProps, 'value' | 'onChange' | 'data'> {
  /** `null` while nothing is chosen. */
  value: string | null
  onChange(id: string | null): void
}

interface Option {
  value: string
  label: string
}

export interface Found {
  options: Option[]
  hasMore: boolean
  /** What another text found, while this one is searched for. */
  isOfOther: boolean
}

interface SearchPickerProps extends PickerFieldProps {
  /**
   * What has the text, or has it as its id.
   *
   * @param text empty: the newest
   * @returns `undefined` until it is read
   */
  useFound(text: string, enabled: boolean): Found | undefined
}

const WAIT_MS = 200
/** How many a picker shows. */
export const SHOWN = 20

/**
 * Finds one of many by a text that the server searches for. Meanwhile only those of before are listed whose line has
 * the text: who types and presses Enter at once must not get another customer.
 */
export function SearchPicker({ useFound, value, onChange, ...rest }: SearchPickerProps) {
  const input = useRef<HTMLInputElement>(null)
  useActiveOption(input)
  const { chosen, found, isSearching, isListed, setText, setPicked } = useOptions(value, useFound)
  const notes = useNotes(found, isSearching)
  const others = (found?.options ?? []).filter((option) => option.value !== value)
  return (
    <Select
      searchable
      clearable
      // Without these axe finds content outside the landmarks, and a region that the keyboard does not scroll.
      comboboxProps={{ withinPortal: false }}
      withScrollArea={false}
      classNames={{ options: 'picker-options' }}
      {...rest}
      ref={input}
      data={[...(chosen ? [chosen] : []), ...others, ...notes]}
      // What is chosen stays chosen when it does not match.
      filter={({ options }) => options.filter((option) => !('value' in option) || option.disabled || isListed(option))}
      value={value}
      onChange={(id, option) => {
        setPicked(option)
        onChange(id)
      }}
      onSearchChange={setText}
    />
  )
}

function useOptions(value: string | null, useFound: SearchPickerProps['useFound']) {
  const [text, setText] = useState('')
  const [typed] = useDebouncedValue(text.trim(), WAIT_MS)
  // Of what was just chosen, the line is known; of what the page began with, it is read.
  const [picked, setPicked] = useState<Option | null>(null)
  const byId = useFound(value ?? '', value !== null)?.options ?? []
  const chosen = [...byId, ...(picked ? [picked] : [])].find((option) => option.value === value)
  // What was chosen is not searched for.
  const search = typed === chosen?.label ? '' : typed
  const found = useFound(search, true)
  const isSearching = text.trim() !== typed || found?.isOfOther === true
  // What was found is what the server matched.
  const isListed = (one: Option) => {
    if (isSearching) return hasSearchWords(one.label, text)
    return one.value !== value || search === '' || found?.options.some((option) => option.value === one.value) === true
  }
  return { chosen, found, isSearching, isListed, setText, setPicked }
}

/** Options that cannot be chosen: a list box has options alone. */
function useNotes(found: Found | undefined, isSearching: boolean) {
  const t = useTexts(KIT_TEXTS)
  if (isSearching) return [{ value: 'searching', label: t.searching, disabled: true }]
  if (found?.options.length === 0) return [{ value: 'none', label: t.noMatch, disabled: true }]
  return found?.hasMore ? [{ value: 'more', label: t.typeForOthers, disabled: true }] : []
}

/** Mantine goes on naming the option that the keyboard was at when it is no longer listed. */
function useActiveOption(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const id = input.current?.getAttribute('aria-activedescendant')
    if (id && !document.getElementById(id)) input.current?.removeAttribute('aria-activedescendant')
  })
}
