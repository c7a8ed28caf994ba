// Loaded before everything else on signed-in pages, so that the session is read while the other scripts are loading.
// `begun.ts` takes the response.

const ME = '/dashboard/api/me'

const response = fetch(ME, { headers: { accept: 'application/json' }, credentials: 'same-origin' }).catch(() => null)

Object.assign(globalThis, { begunCalls: { [ME]: response } })
