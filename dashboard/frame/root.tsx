import { Outlet } from '@tanstack/react-router'
import { Gate } from './gate-dialogs.tsx'

/** Contains every page, and the dialogs that may open over any page. */
export function Root() {
  return (
    <>
      <Outlet />
      <Gate />
    </>
  )
}
