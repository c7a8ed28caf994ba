import { useEffect, useRef } from 'react'

/** After the dialog has closed, returns the focus to where it was, or to the heading if that element is gone. */
export function useReturnFocus(opened: boolean): void {
  const opener = useRef<Element | null>(null)
  // Read while rendering: an effect would run after the dialog has taken the focus.
  if (opened && opener.current === null) opener.current = document.activeElement
  useEffect(() => {
    if (!opened) return
    return () => {
      const before = opener.current
      opener.current = null
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const target = before?.isConnected && before !== document.body ? before : document.querySelector('h1')
        const dialog = document.querySelector('[role="dialog"]')
        if (target instanceof HTMLElement && (!dialog || dialog.contains(target))) target.focus({ preventScroll: true })
      })
    }
  }, [opened])
}
