/**
 * Keeps the page behind a dialog where it is. A style sheet of its own, so that nothing of the page is overwritten and
 * every lock is undone by itself.
 *
 * @returns what undoes it
 */
export function lockScroll(): () => void {
  const { scrollX: left, scrollY: top } = window
  // Only iOS knows the property; there a page scrolls in spite of `overflow`.
  const isTouchOnly = CSS.supports('-webkit-touch-callout', 'none')
  const hasScrollbar = innerWidth > document.documentElement.clientWidth
  const lock = new CSSStyleSheet()
  lock.replaceSync(
    `html{overflow:hidden!important${hasScrollbar ? ';scrollbar-gutter:stable' : ''}}` +
      (isTouchOnly ? `body{position:fixed!important;top:${-top}px;width:100%}` : ''),
  )
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, lock]
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== lock)
    scrollTo(left, top)
  }
}
