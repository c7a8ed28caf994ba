import { EventEmitter, once } from 'node:events'

/**
 * Notifications of issuers' methods that arrive in this process. Another process that waits for one reads the table.
 */
export interface MethodNotices {
  /** @param id id of the authentication */
  note(id: string): void
  /** Resolves to whether the notification arrives in this time. */
  next(id: string, milliseconds: number): Promise<boolean>
}

export function createMethodNotices(): MethodNotices {
  const notices = new EventEmitter().setMaxListeners(0)
  return {
    note: (id) => void notices.emit(id),
    next: (id, milliseconds) =>
      once(notices, id, { signal: AbortSignal.timeout(Math.ceil(milliseconds)) }).then(
        () => true,
        () => false,
      ),
  }
}
