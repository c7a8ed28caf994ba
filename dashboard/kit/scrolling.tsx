import type { ReactNode } from 'react'

// The keyboard must be able to reach every scrolling region.

/** A table that may be wider than its container. */
export function ScrollingTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="table-scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}

/** Preformatted text that scrolls. */
export function ScrollingText({ children, className }: { children: string; className?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre tabIndex={0} className={className}>
      {children}
    </pre>
  )
}

/** A table that may be wider than its container, in a section of the same name. */
export function ScrollingPart({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div role="group" className="table-scroll" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
