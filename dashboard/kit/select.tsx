import { Select as MantineSelect, type SelectProps } from '@mantine/core'
import { useState } from 'react'
import { hasSearchWords } from '../../contract/search-text.ts'

/** Finds what the searches of the service would. */
const filterOptions: NonNullable<SelectProps['filter']> = ({ options, search, limit }) =>
  options.filter((option) => 'group' in option || hasSearchWords(option.label, search)).slice(0, limit)

/** A select whose list is mounted when it first has the focus: mounted, it is measured each time it is rendered. */
export function Select(props: SelectProps) {
  const [hadFocus, setHadFocus] = useState(false)
  return (
    <MantineSelect
      filter={filterOptions}
      {...props}
      onFocus={() => setHadFocus(true)}
      comboboxProps={{ keepMounted: hadFocus }}
    />
  )
}
