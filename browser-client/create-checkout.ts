import { invalid, ServiceCheckoutError } from './errors.ts'
import { deferred } from './open-checkout.ts'
import { options } from './options.ts'
import { requestSession } from './request-session.ts'
import { makeRoom, showSession } from './show-session.ts'
import type { CheckoutHandle, InitOptions, SessionInput, UiMode } from './types.ts'

const CREATE_MS_MAX = 30_000

interface PendingCreate {
  /** The session input as text: React's StrictMode mounts twice for one session. */
  key: string
  promise: Promise<CheckoutHandle>
  reject(reason: unknown): void
}

let scriptUiMode: UiMode | undefined

/** Called by rapid.js, for sessions and options that do not set a mode. */
export function defaultToModal(): void {
  scriptUiMode = 'rapid'
}

export let pending: PendingCreate | undefined

/** Creates a session and shows it. A second call with equal data during the creation returns the same checkout. */
export async function createCheckout(data: SessionInput): Promise<CheckoutHandle> {
  const key = JSON.stringify(data)
  if (pending?.key === key) return pending.promise
  if (pending) throw new ServiceCheckoutError('already_open')
  const uiMode = data.ui_mode ?? options.defaultUiMode ?? scriptUiMode ?? (options.containerId ? 'embedded' : 'hosted')
  makeRoom(uiMode, options.businessId)
  if (!options.authToken && !options.fetchSession) throw invalid('authToken')
  const opener = document.activeElement
  const { promise, resolve, reject } = deferred<CheckoutHandle>()
  const mine = { key, promise, reject }
  const timeout = setTimeout(reject, CREATE_MS_MAX, new ServiceCheckoutError('timeout'))
  const forget = () => {
    clearTimeout(timeout)
    if (pending === mine) pending = undefined
  }
  pending = mine
  promise.catch(forget)
  requestWanted(data, uiMode, () => pending === mine)
    .then((session) => {
      forget()
      const handle = showSession(session, uiMode, opener)
      // In mode `hosted` the browser leaves the page, and the promise stays pending.
      if (uiMode !== 'hosted') resolve(handle)
    })
    .catch(reject)
  return promise
}

/**
 * Creates a session if it is still wanted. A component that mounts, unmounts and mounts again at once creates one
 * session; a session that is not wanted any more is not shown.
 */
async function requestWanted(data: SessionInput, uiMode: UiMode, isWanted: () => boolean) {
  await null
  const session = isWanted() && (await requestSession(options as InitOptions, data, uiMode))
  if (session && isWanted()) return session
  throw new ServiceCheckoutError('destroyed')
}

export function stopCreating(): void {
  pending?.reject(new ServiceCheckoutError('destroyed'))
  pending = undefined
}
