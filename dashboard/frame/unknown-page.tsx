import { useQuery } from '@tanstack/react-query'
import { freshMe, meQuery } from '../kit/me.ts'
import { NotFound } from './failures.tsx'
import { Shell } from './shell.tsx'

/** Page for unknown paths. Its header is for people who are signed in; nobody is asked to sign in for it. */
export function UnknownPage() {
  const { data: me, isPending } = useQuery({ ...meQuery, queryFn: freshMe, retry: false })
  if (isPending) return null
  if (me)
    return (
      <Shell>
        <NotFound />
      </Shell>
    )
  return (
    <main className="entry">
      <span className="brand">Rialto</span>
      <div className="card stack">
        <NotFound />
      </div>
    </main>
  )
}
