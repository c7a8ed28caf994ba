import type { NotificationData } from '@mantine/notifications'
import { Suspense, useSyncExternalStore } from 'react'
import { lazyPart } from './lazy-part.ts'

const load = () => import('./toasts.tsx')
const Toasts = lazyPart(load)

let isWanted = false
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function showToast(toast: NotificationData): void {
  isWanted = true
  for (const listener of listeners) listener()
  void load().then(({ show }) => show(toast))
}

export const hideToast = (id: string): void => void load().then(({ hide }) => hide(id))

/** Container of toasts. It is empty until the first one. */
export function ToastPlace() {
  const isShown = useSyncExternalStore(subscribe, () => isWanted)
  return (
    isShown && (
      <Suspense>
        <Toasts />
      </Suspense>
    )
  )
}
