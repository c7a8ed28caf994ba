import { Select as MantineSelect, type SelectProps } from '@mantine/core'
import { useState } from 'react'

/** A select whose list is mounted when it first has the focus: mounted, it is measured each time it is rendered. */
export function Select(props: SelectProps) {
  const [hadFocus, setHadFocus] = useState(false)
  return <MantineSelect {...props} onFocus={() => setHadFocus(true)} comboboxProps={{ keepMounted: hadFocus }} />
}
