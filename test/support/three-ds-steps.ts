import type { Page, Route } from 'playwright-core'
import type { OpenedScenario, Response } from './payment-page-fixture.ts'
import { refused } from './payment-page-steps.ts'

// Responses of 3-D Secure, and documents that replace those that lead to the bank.

export const DDD_ID = 'ddd_0198c0de-0000-7000-8000-0000000000aa'
const LATER = '2031-01-01T00:00:00.000Z'

export const THREE_DS = { enabled: true, method_timeout_ms: 10_000, challenge_timeout_ms: 600_000 }

/** A customer with contact data, so that the form does not ask for any. */
export const ANA = {
  id: '0198c0de-0000-7000-8000-0000000000c1',
  name: 'Ana Roy',
  email: 'ana@example.com',
  phone: null,
}

/** Returns the paths that were called so far. */
export const pathsOf = ({ posts }: OpenedScenario) => posts.map(({ path }) => path)

export const bodiesOf = ({ posts }: OpenedScenario, path: string) =>
  posts.filter((post) => post.path === path).map(({ body }) => body)

const started = (status: string, method: object | null): Response => ({
  body: {
    ok: true,
    status,
    ddd_session_id: DDD_ID,
    three_ds_server_trans_id: '0198c0de-0000-7000-8000-0000000000ab',
    message_version: '2.2.0',
    method,
    expires_at: LATER,
  },
})

export const initReady = started('ready', null)
export const initMethod = started('method_required', { url: `/customer/ddd/method/${DDD_ID}`, timeout_ms: 10_000 })

export const initNotRequired: Response = {
  body: {
    ok: true,
    status: 'not_required',
    ddd_session_id: null,
    three_ds_server_trans_id: null,
    message_version: null,
    method: null,
    expires_at: null,
  },
}

export const authenticated: Response = {
  body: {
    ok: true,
    status: 'authenticated',
    trans_status: 'Y',
    eci: '05',
    message_version: '2.2.0',
    ds_trans_id: null,
    liability_shift: true,
    pay_before: LATER,
  },
}

export const challenge = (window_size = '03'): Response => ({
  body: {
    ok: true,
    status: 'challenge_required',
    challenge: { url: `/customer/ddd/challenge/${DDD_ID}`, window_size, start_before: LATER, timeout_ms: 600_000 },
  },
})

export const inProgress: Response = { body: { ok: true, status: 'challenge_in_progress', retry_after_ms: 3_000 } }

export const notAuthenticated = (trans_status: string, more: Record<string, unknown> = {}): Response =>
  refused(400, 'three_ds_failed', {
    trans_status,
    trans_status_reason: '01',
    cardholder_info: null,
    attempt_count: 0,
    max_attempts: 3,
    cancel_url: 'https://shop.example/cart',
    charged: false,
    ...more,
  })

/** A document that reports that the bank is done when its button is pressed. */
export const DONE_BY_HAND = `<!doctype html><html lang="en"><title>Bank</title><main><h1>Bank</h1>
<button onclick="parent.postMessage({ type: 'rc:ddd', id: '${DDD_ID}' }, location.origin)">Confirm</button></main></html>`
export const SILENT = '<!doctype html><html lang="en"><title>Bank</title><main><h1>Bank</h1></main></html>'

/**
 * Records every content of the button and of the polite region, from now on. @returns a function that returns the
 * contents so far
 */
export async function watchTexts(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const seen: string[] = []
    const note = () => {
      for (const id of ['pay-label', 'log']) {
        const text = `${id}: ${document.getElementById(id)?.textContent}`
        if (!seen.slice(-2).includes(text)) seen.push(text)
      }
    }
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true })
    Object.assign(window, { seen })
  })
  return () => page.evaluate(() => Reflect.get(window, 'seen'))
}

/** Sets the content of the frames of 3-D Secure from now on. */
export async function bankSays(page: Page, document: string): Promise<void> {
  await page.unroute('**/customer/ddd/**')
  // A page that a test has closed meanwhile does not need a document: nobody would handle the rejection.
  const respond = (route: Route) => route.fulfill({ contentType: 'text/html', body: document }).catch(() => {})
  await page.route('**/customer/ddd/**', respond)
}
