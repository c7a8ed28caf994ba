import type { ReactNode } from 'react'
import { PageTitle } from '../../kit/page.tsx'

/** A page without the frame, for people who are not signed in yet. */
export function EntryPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="entry">
      <span className="brand">Rialto</span>
      <div className="card stack">
        <PageTitle title={title} />
        {children}
      </div>
    </main>
  )
}
