import type { FrameLocator, Page } from 'playwright-core'
import { CARDS } from './card-numbers.ts'
import type { Response } from './payment-page-fixture.ts'

// Actions of a payer on the page, and responses of the public paths.

const FIELDS = {
  cardnumber: CARDS.visa,
  exp: '04/31',
  cvc: '123',
  ccname: 'Ana Roy',
  email: 'ana@example.com',
  postal: 'H2X 1Y4',
}

type Changes = Partial<typeof FIELDS>

/**
 * Fills the form of a Canadian session. Skips fields that the form does not have: the modal has fewer, and 3-D Secure
 * adds some.
 */
export async function fillForm(form: FrameLocator | Page, changes: Changes = {}): Promise<void> {
  await form.locator('#pay').waitFor()
  for (const [name, value] of Object.entries({ ...FIELDS, ...changes })) {
    const field = form.locator(`[name=${name}]`)
    if ((await field.count()) > 0) await field.fill(value)
  }
}

export const fillCard = (page: Page, changes: Changes = {}) => fillForm(page, changes)

export async function payInForm(form: FrameLocator | Page, changes: Changes = {}): Promise<void> {
  await fillForm(form, changes)
  await form.locator('#pay').click()
}

export async function payByCard(page: Page, changes: Changes = {}): Promise<void> {
  await fillCard(page, changes)
  await page.click('#pay')
}

export const approved = (successUrl: string): Response => ({
  body: {
    ok: true,
    message: 'Approved',
    result: { code: 'AA', recordID: 'r-1', receiptID: 'R-77' },
    success_url: successUrl,
  },
})

export const declined = (code: string, attemptCount = 1, cancelUrl = 'https://shop.example/cart'): Response => ({
  body: {
    ok: false,
    message: 'Declined',
    code,
    attempt_count: attemptCount,
    max_attempts: 3,
    cancel_url: cancelUrl,
    charged: false,
  },
})

export const refused = (status: number, code: string, more: Record<string, unknown> = {}): Response => ({
  status,
  body: { ok: false, message: code, code, request_id: 'req_1', ...more },
})

export const sessionStatus = (paymentInProgress: boolean): Response => ({
  body: { ok: true, message: '', status: 'PENDING', payment_status: 'UNPAID', payment_in_progress: paymentInProgress },
})
