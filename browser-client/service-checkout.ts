import { createCheckout, pending, stopCreating } from './create-checkout.ts'
import { ServiceCheckoutError } from './errors.ts'
import { closeCheckout, destroyCheckout, live, shownCheckout } from './open-checkout.ts'
import { checkOptions, deliver, keepOptions, options } from './options.ts'
import { verifyReturn } from './return-page.ts'
import { showSession } from './show-session.ts'
import type { InitOptions, ReturnOutcome, ServiceCheckoutStatic } from './types.ts'
import { VERSION } from './version.ts'

/** The library. A page has one, with at most one open form. */
export const ServiceCheckout: ServiceCheckoutStatic = {
  version: VERSION,
  init(given) {
    useOptions(given)
    return ServiceCheckout
  },
  create: createCheckout,
  open: (session) => showSession(session, session.ui_mode),
  close() {
    const shown = shownCheckout()
    stopCreating()
    return !shown || closeCheckout(shown)
  },
  destroy() {
    stopCreating()
    live.forEach(destroyCheckout)
  },
  setHeight: (height) => shownCheckout()?.frame.pin(height),
  getState() {
    const shown = shownCheckout()
    const phase = shown?.phase ?? (pending ? 'creating' : 'idle')
    return { isOpen: Boolean(shown), sessionId: shown?.sessionId || null, phase }
  },
  handleReturnPage: handleReturn,
}

function useOptions(given: InitOptions): void {
  checkOptions(given)
  // A component creates new callbacks on every render; nothing else may change while a form is open.
  const isSame = JSON.stringify(given) === JSON.stringify(options)
  if (!isSame && (pending || shownCheckout())) throw new ServiceCheckoutError('already_open')
  keepOptions({ ...given })
  if (given.autoVerify && globalThis.document) handleReturn().catch(reportError)
}

let returned: Promise<ReturnOutcome | null> | undefined

/** Runs once per page: the token is removed from the URL afterwards. */
function handleReturn(): Promise<ReturnOutcome | null> {
  returned ??= verifyReturn(options).then((outcome) => {
    if (outcome) deliver(outcome.status, outcome.data)
    return outcome
  })
  return returned
}
