import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { inCase } from '../support/cases.ts'
import { removeForm } from '../support/client-library-page.ts'
import { describeInShop } from '../support/describe-in-browser.ts'
import { payBody, payerOf } from '../support/merchant.ts'
import { payInForm } from '../support/payment-page-steps.ts'
import { CANADIAN_CARD, type OpenedShop } from '../support/real-shop.ts'

// How the shop is notified of a session that ended before its form was opened in the shop's page, or in another tab.

interface Made {
  id: string
  token: string
  checkout_url: string
  ui_mode: string
}

describeInShop('the frame of a session that has ended', ({ shops, browser }) => {
  const openSession = async () => {
    const urls = { success_url: `${shops.origin()}/thanks`, cancel_url: `${shops.origin()}/cart` }
    return (await shops.merchant.createSession({ ...urls, ui_mode: 'embedded' })).body.checkout_session
  }
  const openModalSession = async () =>
    (await shops.merchant.post('/rapid-checkout/create', { amount_total: 25.5, customer_email: 'm@example.com' })).body
      .checkout_session

  /** Asserts the payment as the merchant's server reads it. */
  async function assertTellsPayment({ session_id, ...told }: Record<string, unknown>) {
    const { checkout_session, transaction } = (await shops.merchant.details(String(session_id))).body
    equal(checkout_session.payment_status, 'PAID')
    const { id: transaction_id, receipt_id, details } = transaction
    deepEqual(told, { transaction_id, receipt_id, amount: details.amount, currency: checkout_session.currency })
  }

  /** Shows the session's form in the page of the shop, however the session was created. */
  const show = ({ page }: OpenedShop, { checkout_url, ui_mode }: Made) =>
    page.evaluate(
      ([url, uiMode]) => void window.ServiceCheckout?.open({ token: '', checkout_url: url, ui_mode: uiMode } as never),
      [checkout_url, ui_mode] as const,
    )

  const ENDED: Record<string, (shop: OpenedShop, made: Made) => Promise<void>> = {
    async 'a session that was cancelled says so at once, and not after fifteen seconds'(shop, made) {
      equal((await shops.merchant.cancel(made.token)).status, 200)
      await show(shop, made)
      const error = await shop.called('error')
      deepEqual([error.error_code, error.session_id], ['session_closed', made.id])
      match(String(error.message), /cancelled this payment request/)
    },
    async 'a session that failed says that it did'(shop, made) {
      for (let tried = 0; tried < 3; tried++) await payerOf(shops.service).pay(made.token, payBody(CARDS.declined))
      await show(shop, made)
      equal((await shop.called('error')).error_code, 'max_attempts_reached')
    },
    async 'a session that is paid already succeeds at once, with its ids'(shop, made) {
      equal((await payerOf(shops.service).pay(made.token)).body.ok, true)
      await show(shop, made)
      const result = await shop.called('success')
      equal(result.session_id, made.id)
      await assertTellsPayment(result)
      equal((await shop.calls()).length, 1)
    },
    async 'a second tab that pays what is paid is notified of the payment, and nothing is charged again'(shop, made) {
      await show(shop, made)
      await shop.inForm.locator('#pay').waitFor()
      equal((await payerOf(shops.service).pay(made.token)).body.ok, true)
      await payInForm(shop.inForm, CANADIAN_CARD)
      await assertTellsPayment(await shop.called('success'))
      equal((await shop.calls()).length, 1)
    },
  }
  for (const [mode, make, script] of [
    ['embedded', openSession, 'rialto-checkout'],
    ['modal', openModalSession, 'rapid'],
  ] as const)
    test(`${mode}: the shop is told at once how a session ended: cancelled, failed, or paid here or elsewhere`, async () => {
      const shop = await shops.open(browser, { script })
      for (const [name, run] of Object.entries(ENDED)) {
        await inCase(name, async () => run(shop, await make()))
        await removeForm(shop.page)
      }
      await shop.end()
    })
})
