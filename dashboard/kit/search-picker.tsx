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
  /** Whether the options belong to a previous text while the new one is searched for. */
  isOfOther: boolean
}

interface SearchPickerProps extends PickerFieldProps {
  /**
   * Finds objects that contain the text, or have it as their id.
   *
   * @param text empty for the newest objects
   * @returns `undefined` until they are loaded
   */
  useFound(text: string, enabled: boolean): Found | undefined
}

const WAIT_MS = 200
/** Maximum number of options in a picker. */
export const SHOWN = 20

/**
 * Finds one of many objects by a text that the server searches for. Meanwhile only those previous options are listed
 * that contain the text: a person who types and presses Enter quickly must not get the wrong customer.
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
      // Without this, axe reports content outside the landmarks, and a region that the keyboard does not scroll.
      comboboxProps={{ withinPortal: false }}
      withScrollArea={false}
      classNames={{ options: 'picker-options' }}
      {...rest}
      ref={input}
      data={[...(chosen ? [chosen] : []), ...others, ...notes]}
      // The chosen option stays chosen even if it does not match.
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
  // The line of an option that was just chosen is known; that of the initial value has to be read.
  const [picked, setPicked] = useState<Option | null>(null)
  const byId = useFound(value ?? '', value !== null)?.options ?? []
  const chosen = [...byId, ...(picked ? [picked] : [])].find((option) => option.value === value)
  // The label of the chosen option is not searched for.
  const search = typed === chosen?.label ? '' : typed
  const found = useFound(search, true)
  const isSearching = text.trim() !== typed || found?.isOfOther === true
  // The server has already matched the options that it found.
  const isListed = (one: Option) => {
    if (isSearching) return hasSearchWords(one.label, text)
    return one.value !== value || search === '' || found?.options.some((option) => option.value === one.value) === true
  }
  return { chosen, found, isSearching, isListed, setText, setPicked }
}

/** Returns notes as options that cannot be chosen, because a list box may only contain options. */
function useNotes(found: Found | undefined, isSearching: boolean) {
  const t = useTexts(KIT_TEXTS)
  if (isSearching) return [{ value: 'searching', label: t.searching, disabled: true }]
  if (found?.options.length === 0) return [{ value: 'none', label: t.noMatch, disabled: true }]
  return found?.hasMore ? [{ value: 'more', label: t.typeForOthers, disabled: true }] : []
}

/** Fixes that Mantine keeps naming the option at which the keyboard was, even if it is not listed any more. */
function useActiveOption(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const id = input.current?.getAttribute('aria-activedescendant')
    if (id && !document.getElementById(id)) input.current?.removeAttribute('aria-activedescendant')
  })
}
