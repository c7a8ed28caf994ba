import { type Library, refusal } from './library.ts'
import { invalidOption } from './options.ts'
import { requestSession } from './request-session.ts'
import { containerFor, makeRoom, modeOf, requireBrowser, showSession } from './show-session.ts'
import type { CheckoutHandle, SessionInput } from './types.ts'

const CREATE_MS_MAX = 30_000

/** Creates a session and shows it. Equal data while one is being created is the same checkout. */
export async function createCheckout(library: Library, data: SessionInput): Promise<CheckoutHandle> {
  requireBrowser()
  const { options, pending } = library
  if (!options) throw refusal('not_initialized', 'Call init first')
  if (!options.authToken && !options.fetchSession) throw invalidOption('authToken')
  const key = JSON.stringify(data)
  if (pending?.key === key) return pending.promise
  if (pending) throw refusal('already_open', 'Another checkout is being created')
  makeRoom(library)
  containerFor(library, modeOf(library, data.ui_mode))
  const stopping = new AbortController()
  const promise = requestAndShow(library, data, stopping)
  library.pending = { key, stopping, promise }
  return promise
}

async function requestAndShow(library: Library, data: SessionInput, stopping: AbortController) {
  const { signal } = stopping
  const opener = document.activeElement
  const uiMode = modeOf(library, data.ui_mode)
  const timeout = setTimeout(() => stopping.abort(refusal('timeout', 'No answer in 30 s')), CREATE_MS_MAX)
  try {
    // Whoever mounts, unmounts and mounts again in one go has asked for one session.
    await null
    if (signal.aborted) throw signal.reason
    const session = await requestSession(library.options as NonNullable<typeof library.options>, data, uiMode, signal)
    const handle = showSession(library, session, uiMode, opener)
    return uiMode === 'hosted' ? leaving(library, stopping) : handle
  } finally {
    clearTimeout(timeout)
    release(library, stopping)
  }
}

/** The page leaves: nobody gets an answer. */
function leaving(library: Library, stopping: AbortController): Promise<never> {
  release(library, stopping)
  return new Promise(() => {})
}

function release(library: Library, stopping: AbortController): void {
  if (library.pending?.stopping === stopping) library.pending = undefined
}

/** @returns whether there was something to stop */
export function stopCreating(library: Library): void {
  library.pending?.stopping.abort(refusal('destroyed', 'The checkout was closed while it was being created'))
  library.pending = undefined
}
