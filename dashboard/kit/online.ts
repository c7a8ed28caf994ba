import { useSyncExternalStore } from 'react'

function listen(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

/** Returns whether the browser has a connection, and updates when that changes. */
export const useOnline = (): boolean => useSyncExternalStore(listen, () => navigator.onLine)
