import { useLayoutEffect, useState } from 'react'

interface FirstOpening {
  /** Whether it was ever opened; until then, it need not be on the page. */
  isMounted: boolean
  isOpen: boolean
  /** Mounts it closed, so that it opens faster. */
  prepare(): void
}

/**
 * For menus and dialogs, of which a page has many and opens few: none is mounted until it is first opened. It is then
 * mounted closed and opened before the next paint, because only the opening remembers where the focus was, and moves it
 * inside. One that is open from the start is mounted open.
 *
 * @param closedRenders how often it is rendered closed: twice if its content is in a portal, which is empty at first
 */
export function useFirstOpening(opened: boolean, closedRenders: 1 | 2): FirstOpening {
  const [renders, setRenders] = useState(opened ? closedRenders : 0)
  useLayoutEffect(() => {
    if (opened && renders < closedRenders) setRenders(renders + 1)
  }, [opened, renders, closedRenders])
  return {
    isMounted: opened || renders > 0,
    isOpen: opened && renders === closedRenders,
    prepare: () => setRenders(Math.max(renders, 1)),
  }
}
