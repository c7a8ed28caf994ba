import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Shell } from './shell.tsx'

/** The pages of a person: businesses, account. */
export function PersonFrame() {
  return (
    <Shell>
      <Suspense>
        <Outlet />
      </Suspense>
    </Shell>
  )
}
