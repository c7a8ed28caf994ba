import { Select as MantineSelect, type SelectProps } from '@mantine/core'
import { useState } from 'react'

/** A select whose list is mounted on first focus: a mounted list is measured on every render. */
export function Select(props: SelectProps) {
  const [hadFocus, setHadFocus] = useState(false)
  return <MantineSelect {...props} onFocus={() => setHadFocus(true)} comboboxProps={{ keepMounted: hadFocus }} />
}
