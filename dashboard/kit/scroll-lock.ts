import { useLayoutEffect } from 'react'

let locks = 0

/**
 * Keeps the page from scrolling under a dialog. The kit's own lock sets a custom property of the body, after which the
 * browser recomputes the style of every element.
 */
export function useScrollLock(isLocked: boolean): void {
  useLayoutEffect(() => {
    if (!isLocked) return
    const { style, clientWidth } = document.documentElement
    locks += 1
    if (locks === 1) {
      // The width of the scroll bar stays reserved, so that nothing moves.
      if (innerWidth > clientWidth) style.scrollbarGutter = 'stable'
      style.overflow = 'hidden'
    }
    return () => {
      locks -= 1
      if (locks === 0) Object.assign(style, { overflow: '', scrollbarGutter: '' })
    }
  }, [isLocked])
}
