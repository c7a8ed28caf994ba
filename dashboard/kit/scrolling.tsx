import type { ReactNode } from 'react'

// What scrolls by itself must be reached by the keyboard.

/** A table that may be wider than its place. */
export function ScrollingTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="table-scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}

/** Text in lines of its own. */
export function ScrollingText({ children, className }: { children: string; className?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre tabIndex={0} className={className}>
      {children}
    </pre>
  )
}
