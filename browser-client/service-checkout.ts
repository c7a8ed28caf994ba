import { createCheckout, stopCreating } from './create-checkout.ts'
import { deliver, type Library, refusal, shownCheckout } from './library.ts'
import { closeCheckout, destroyCheckout } from './open-checkout.ts'
import { checkOptions, invalidOption, sameSettings } from './options.ts'
import { verifyReturn } from './return-page.ts'
import { requireBrowser, showSession } from './show-session.ts'
import type { InitOptions, Phase, ReturnOutcome, ServiceCheckoutStatic, UiMode } from './types.ts'
import { VERSION } from './version.ts'

/** A library without options. A page has one of them, with at most one open form. */
export function makeServiceCheckout(defaultUiMode?: UiMode, scriptUrl?: string): ServiceCheckoutStatic {
  const live: Library['live'] = new Set()
  const library: Library = {
    defaultUiMode,
    scriptUrl,
    options: undefined,
    pending: undefined,
    live,
    returned: undefined,
  }
  const serviceCheckout: ServiceCheckoutStatic = {
    version: VERSION,
    init(options) {
      keepOptions(library, options)
      return serviceCheckout
    },
    create: (data) => createCheckout(library, data),
    open(session) {
      requireBrowser()
      return showSession(library, session, session.ui_mode, document.activeElement)
    },
    close: () => closeShown(library),
    destroy() {
      stopCreating(library)
      for (const checkout of live) destroyCheckout(checkout)
    },
    setHeight: (height) => shownCheckout(library)?.frame.pin(height),
    getState: () => stateOf(library),
    handleReturnPage: () => handleReturn(library),
  }
  return serviceCheckout
}

function keepOptions(library: Library, options: InitOptions): void {
  checkOptions(options)
  if (options.autoVerify && !options.verifySessionUrl) throw invalidOption('verifySessionUrl')
  const isBusy = library.pending ?? shownCheckout(library)
  if (isBusy && library.options && !sameSettings(library.options, options))
    throw refusal('already_open', 'A checkout is open; its options cannot change')
  library.options = { ...options }
  if (options.autoVerify && typeof document !== 'undefined') handleReturn(library).catch(reportError)
}

function closeShown(library: Library): boolean {
  const shown = shownCheckout(library)
  stopCreating(library)
  return shown ? closeCheckout(shown) : true
}

function stateOf(library: Library): { isOpen: boolean; sessionId: string | null; phase: Phase } {
  const shown = shownCheckout(library)
  const phase = shown?.phase ?? (library.pending ? 'creating' : 'idle')
  return { isOpen: Boolean(shown), sessionId: shown?.sessionId || null, phase }
}

/** Once for each page: the address is clean after it. A failed one may be tried again. */
async function handleReturn(library: Library): Promise<ReturnOutcome | null> {
  requireBrowser()
  library.returned ??= verifyReturn(library.options ?? {}).then((outcome) => {
    if (outcome && outcome.status !== 'pending') deliver(library, outcome)
    return outcome
  })
  library.returned.catch(() => {
    library.returned = undefined
  })
  return library.returned
}
