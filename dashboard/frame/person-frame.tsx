import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Shell } from './shell.tsx'

/** Frame of the pages about a person: businesses, account. */
export function PersonFrame() {
  return (
    <Shell>
      <Suspense>
        <Outlet />
      </Suspense>
    </Shell>
  )
}
