import { enhanceCardNumber } from './browser/card-number-field.ts'
import { checkUntilKnown, rereadSession } from './browser/checking.ts'
import { watchFields } from './browser/field-errors.ts'
import { forgetCardOnLeave } from './browser/forget-card.ts'
import { joinParent, tellClosed } from './browser/framed-page.ts'
import { enhanceAddress, enhanceExpiry } from './browser/other-fields.ts'
import { type Page, readPage } from './browser/page.ts'
import { pay } from './browser/pay.ts'
import { watchPayInSight } from './browser/pay-in-sight.ts'
import { move } from './browser/phases.ts'
import { watchSavedCode } from './browser/saved-code.ts'
import { watchExpiry } from './browser/session-clock.ts'
import { keepStill } from './browser/still-page.ts'
import { watchSurcharge } from './browser/surcharge.ts'
import { offerWallet } from './browser/wallet.ts'

// The only script of the payment page. The page works without it; the script checks fields early and avoids reloads.

function start(page: Page): void {
  page.form.noValidate = true
  keepStill(page)
  enhanceCardNumber(page)
  enhanceExpiry(page)
  enhanceAddress(page, '')
  enhanceAddress(page, 'shipping_')
  watchFields(page)
  watchSavedCode(page)
  watchSurcharge(page)
  const isPayInSight = watchPayInSight(page)
  page.form.addEventListener('submit', (event) => {
    event.preventDefault()
    void pay(page, isPayInSight)
  })
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) void rereadSession(page)
  })
  forgetCardOnLeave(page)
  joinParent(page)
  watchExpiry(page)
  offerWallet(page)
  if (page.data.phase === 'checking' && move(page, 'lost')) void checkUntilKnown(page, 1)
}

/**
 * Before Chrome 103, Firefox 100 and Safari 16 calls of this script could not time out, so the page does without it.
 */
const isRecent = typeof AbortSignal.timeout === 'function'

const page = readPage()
if (!page) tellClosed()
else if (isRecent) start(page)
