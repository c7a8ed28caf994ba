import type { DddAuthenticateResponse } from '../../contract/three-ds.ts'
import { type BankCall, openBankFrame } from './bank-frame.ts'
import { announce, byId, type Page, sentence } from './page.ts'
import { move } from './phases.ts'
import { secondClickMs } from './still-page.ts'

type Challenge = Extract<DddAuthenticateResponse, { status: 'challenge_required' }>['challenge']

/**
 * Shows the bank's page in place of the form, which keeps its content.
 *
 * @returns a function that shows the form again, still busy
 */
export function openChallenge(page: Page, { url, window_size: size }: Challenge, call: BankCall): () => void {
  move(page, 'challenge')
  const place = byId('bank')
  place.dataset.size = size
  const removeFrame = openBankFrame(page, place, url, call)
  // The second click of a double click on Pay must not reach the bank's page.
  place.inert = true
  setTimeout(() => {
    place.inert = false
  }, secondClickMs())
  const cancel = () => call.signals.note('canceled')
  byId('cancel-challenge').addEventListener('click', cancel)
  byId('challenge-title').focus()
  announce(page, sentence(page, 'confirm_announcement'))
  return () => {
    byId('cancel-challenge').removeEventListener('click', cancel)
    removeFrame()
    move(page, 'returned')
    page.pay.focus()
  }
}
