import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { describeInShop } from '../support/describe-in-browser.ts'
import { payBody, payerOf } from '../support/merchant.ts'
import { payInForm } from '../support/payment-page-steps.ts'
import { CANADIAN_CARD } from '../support/real-shop.ts'

// How the shop is notified of a session that ended before its form was opened in the shop's page, or in another tab.

describeInShop('the frame of a session that has ended', ({ shops, browser }) => {
  const openSession = async () => {
    const urls = { success_url: `${shops.origin()}/thanks`, cancel_url: `${shops.origin()}/cart` }
    return (await shops.merchant.createSession({ ...urls, ui_mode: 'embedded' })).body.checkout_session
  }

  /** Asserts the payment as the merchant's server reads it. */
  async function assertTellsPayment({ session_id, ...told }: Record<string, unknown>) {
    const { checkout_session, transaction } = (await shops.merchant.details(String(session_id))).body
    equal(checkout_session.payment_status, 'PAID')
    const { id: transaction_id, receipt_id, details } = transaction
    deepEqual(told, { transaction_id, receipt_id, amount: details.amount, currency: checkout_session.currency })
  }

  /** Shows the session's form in a page of the shop, however the session was created. */
  async function show({ checkout_url, ui_mode }: { checkout_url: string; ui_mode: string }) {
    const shop = await shops.open(browser, { script: ui_mode === 'rapid' ? 'rapid' : 'rialto-checkout' })
    await shop.page.evaluate(
      ([url, uiMode]) => void window.ServiceCheckout?.open({ token: '', checkout_url: url, ui_mode: uiMode } as never),
      [checkout_url, ui_mode] as const,
    )
    return shop
  }

  const openModalSession = async () =>
    (await shops.merchant.post('/rapid-checkout/create', { amount_total: 25.5, customer_email: 'm@example.com' })).body
      .checkout_session

  for (const [mode, make] of [
    ['embedded', openSession],
    ['modal', openModalSession],
  ] as const) {
    test(`${mode}: a session that was cancelled says so at once, and not after fifteen seconds`, async () => {
      const made = await make()
      equal((await shops.merchant.cancel(made.token)).status, 200)
      const shop = await show(made)
      const error = await shop.called('error')
      deepEqual([error.error_code, error.session_id], ['session_closed', made.id])
      match(String(error.message), /cancelled this payment request/)
      await shop.end()
    })

    test(`${mode}: a session that failed says that it did`, async () => {
      const made = await make()
      for (let tried = 0; tried < 3; tried++) await payerOf(shops.service).pay(made.token, payBody(CARDS.declined))
      const shop = await show(made)
      equal((await shop.called('error')).error_code, 'max_attempts_reached')
      await shop.end()
    })

    test(`${mode}: a session that is paid already succeeds at once, with its ids`, async () => {
      const made = await make()
      equal((await payerOf(shops.service).pay(made.token)).body.ok, true)
      const shop = await show(made)
      const result = await shop.called('success')
      equal(result.session_id, made.id)
      await assertTellsPayment(result)
      equal((await shop.calls()).length, 1)
      await shop.end()
    })

    test(`${mode}: a second tab that pays what is paid is notified of the payment, and nothing is charged again`, async () => {
      const made = await make()
      const shop = await show(made)
      await shop.inForm.locator('#pay').waitFor()
      equal((await payerOf(shops.service).pay(made.token)).body.ok, true)
      await payInForm(shop.inForm, CANADIAN_CARD)
      await assertTellsPayment(await shop.called('success'))
      equal((await shop.calls()).length, 1)
      await shop.end()
    })
  }

  test('a closed session names its payment to whoever holds its token, and only a paid one does', async () => {
    const [paid, cancelled] = [await openSession(), await openSession()]
    await payerOf(shops.service).pay(paid.token)
    await shops.merchant.cancel(cancelled.token)
    const { status, body } = await payerOf(shops.service).validate(paid.token)
    deepEqual([status, body.code], [400, 'session_completed'])
    await assertTellsPayment({ session_id: paid.token, ...body.payment })
    equal((await payerOf(shops.service).validate(cancelled.token)).body.payment, undefined)
  })
})
