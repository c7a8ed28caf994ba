import { Outlet } from '@tanstack/react-router'
import { Gate } from './gate-dialogs.tsx'

/** Every page, and the dialogs that may open over any. */
export function Root() {
  return (
    <>
      <Outlet />
      <Gate />
    </>
  )
}
