import type { PayFailure, PaySuccess, PublicError } from '../../contract/checkout-form.ts'
import type { ThreeDsFailure } from '../../contract/three-ds.ts'
import { detectBrand } from '../fields/card-brands.ts'
import type { PaidWith } from '../view/pay-request.ts'
import { checkUntilKnown } from './checking.ts'
import { closedState, showApproved, showClosed, showFailed } from './closed-page.ts'
import { forgetErrors, validateForm } from './field-errors.ts'
import { type Page, typed } from './page.ts'
import { type Response, sendCustomer, sendPayment } from './payment-api.ts'
import { move, phaseOf } from './phases.ts'
import { paidByCard, payRequest } from './read-form.ts'
import {
  clearCode,
  showDecline,
  showFailedAuthentication,
  showInvalid,
  showRefusal,
  waitToTryAgain,
} from './refusals.ts'
import { authenticatePayer } from './three-ds.ts'

type Unsent = Exclude<Response<unknown>, { kind: 'ok' }>
type Refused = Extract<Unsent, { kind: 'refused' }>

/** Data of the payer; empty if the page does not ask for it. */
export interface Payer {
  name: string
  email: string
  /** The wallet's name for its card. */
  card?: string
}

const typedPayer = (page: Page): Payer => ({ name: typed(page, 'ccname'), email: typed(page, 'email') })

/** Handles one click on Pay, or Enter: at most one payment. */
export async function pay(page: Page, isPayInSight: () => boolean): Promise<void> {
  if (phaseOf(page) !== 'ready' || !validateForm(page) || !isPayInSight()) return
  await payWith(page, paidByCard(page))
}

/** Pays with the checked fields. Does nothing while another payment is running. */
export async function payWith(page: Page, paidWith: PaidWith, payer: Payer = typedPayer(page)): Promise<void> {
  if (phaseOf(page) !== 'ready') return
  if (!navigator.onLine) return showRefusal(page, 'offline')
  if (!move(page, 'submit')) return
  const customer = await findCustomer(page, payer)
  if (customer.kind !== 'ok') return showUnsent(page, customer)
  const request = payRequest(page, paidWith, customer.body)
  const proved = await authenticatePayer(page, request, payer.email)
  if (proved.kind !== 'ok') return showNotAuthenticated(page, proved)
  const response = await sendPayment(page.data, { ...request, ...(proved.body && { three_ds_id: proved.body }) })
  if (response.kind === 'lost') return startChecking(page, 2)
  if (response.kind === 'refused') return showRefused(page, response)
  showResult(page, response.body, payer.card ?? maskedCard(paidWith))
}

/** Finds the customer of the session, or of the e-mail address that 3-D Secure needs. */
async function findCustomer({ data }: Page, { name, email }: Payer): Promise<Response<string | null>> {
  if (email === '') return { kind: 'ok', body: data.customerId }
  const response = await sendCustomer(data, { name: name || email, email })
  return response.kind === 'ok' ? { kind: 'ok', body: response.body.customer.id } : response
}

/**
 * Shows that the payer was not authenticated. As after a decline, the security code is removed, unless the payer only
 * corrects or waits.
 */
function showNotAuthenticated(page: Page, response: Unsent): void {
  const isKept = response.kind === 'refused' && (response.status === 422 || response.status === 429)
  if (!isKept) clearCode(page)
  showUnsent(page, response)
}

/** Shows why the payment was not sent; so it is certain that nothing was charged. */
function showUnsent(page: Page, response: Unsent): void {
  const refused =
    response.kind === 'refused' ? response : { kind: 'refused', status: 500, error: {}, retryAfterSeconds: 0 }
  showRefused(page, { ...refused, kind: 'refused', error: { ...refused.error, charged: false } })
}

function showResult(page: Page, result: PaySuccess | PayFailure, masked: string): void {
  forgetErrors(page)
  if (result.ok) {
    showApproved(page, result.success_url, {
      card: masked,
      receipt: result.result.receiptID ?? '',
      transaction: result.result.recordID,
    })
  } else if (result.attempt_count >= result.max_attempts) {
    showFailed(page, result.cancel_url)
  } else {
    move(page, 'answered')
    showDecline(page, result)
  }
}

/**
 * Shows any response that is neither approved nor declined. A payer who may have been charged is never told that
 * nothing was charged.
 */
function showRefused(page: Page, response: Refused): void {
  const { status, error, retryAfterSeconds } = response
  forgetErrors(page)
  const state = isLastAttempt(error) ? 'failed' : closedState(error)
  if (state === 'failed') showFailed(page, error.cancel_url ?? page.data.cancelUrl)
  else if (state) showClosed(page, state, error.success_url ?? error.cancel_url, { payment: error.payment })
  else if (status === 429) waitToTryAgain(page, retryAfterSeconds)
  else if (isUnknown(status, error)) startChecking(page, 1)
  else showCertainRefusal(page, status, error)
}

/** Shows a refusal after which nothing was charged; the form can be submitted again. */
function showCertainRefusal(page: Page, status: number, error: Partial<PublicError>): void {
  move(page, 'answered')
  // The payer is authenticated again, for which the card is checked again.
  if (status === 408) clearCode(page)
  if (status === 422) showInvalid(page, error)
  else if (error.code === 'three_ds_failed') showFailedAuthentication(page, error)
  else showRefusal(page, refusalCode(status, error))
}

function isUnknown(status: number, error: Partial<PublicError>): boolean {
  const isRunning = error.code === 'payment_in_progress' || error.code === 'gateway_timeout'
  return isRunning || error.charged === null || (status >= 500 && error.charged !== false)
}

/** Whether it was the last attempt: the bank's refusal of the payer counts like a decline. */
function isLastAttempt({
  code,
  attempt_count: count,
  max_attempts: max,
}: Partial<PublicError & ThreeDsFailure>): boolean {
  return code === 'three_ds_failed' && count !== undefined && max !== undefined && count >= max
}

function refusalCode(status: number, error: Partial<PublicError>): string {
  return status >= 500 ? 'internal_error' : (error.code ?? 'validation_failed')
}

function startChecking(page: Page, idleResponses: 1 | 2): void {
  forgetErrors(page)
  if (move(page, 'lost')) void checkUntilKnown(page, idleResponses)
}

/** Returns "Visa •••• 4242" for the approved page; empty if the page does not know it. */
function maskedCard(paidWith: PaidWith): string {
  if (paidWith.payment_method_type !== 'new_card') return ''
  const { cardNumber } = paidWith.cardData
  return `${detectBrand(cardNumber)?.name ?? ''} •••• ${cardNumber.slice(-4)}`.trim()
}
