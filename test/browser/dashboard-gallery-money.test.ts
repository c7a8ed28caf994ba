import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { PAYMENT_TEXTS } from '../../dashboard/areas/payments/texts/texts.ts'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newId } from '../../server/lib/ids.ts'
import { authenticated, dropThreeDs, requireThreeDs } from '../support/authentication.ts'
import { CARDS } from '../support/card-numbers.ts'
import type { DashboardClient } from '../support/dashboard.ts'
import { addDeclinedSales } from '../support/declined-sales.ts'
import { describeDashboard } from '../support/describe-dashboard.ts'
import { type Gallery, galleryOf, staleOnce } from '../support/gallery.ts'
import { makeAlerts } from '../support/home-alerts.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import type { TestService } from '../support/service.ts'
import { type StoredCardIds, sellTo, storeCard } from '../support/stored-card.ts'
import { payForSubscription } from '../support/subscription-payment.ts'
import { until } from '../support/until.ts'

// DSH-23: pages and dialogs about money, in the states in which people see them.

/** What the rooms share: one page of an owner. */
interface Given {
  service: TestService
  gallery: Gallery
  client: DashboardClient
}

const UNKNOWN = { op: 'inquire', outcome: 'indeterminate', times: 1_000 } as const

describeDashboard('pages about money, as they look', ({ service, open }) => {
  const pages = () => `${service.formUrl}/dashboard/b/${service.demo.business_id}/`

  test('home, sessions, payments, sales, refunds, operations in doubt, batches, letters', async () => {
    const { page, client } = await open({ isSteppedUp: true })
    const gallery = galleryOf(page, pages())
    const given = { service, gallery, client }
    await gallery.room('sessions', () => sessionRoom(given))
    const ana = await storeCard(service, 'ana@example.com')
    await gallery.room('payments', () => paymentsRoom(given))
    await gallery.room('refunds', () => refundRoom(given, ana))
    await gallery.room('voids', () => voidRoom(given, ana))
    await gallery.room('sales', () => salesRoom(given, ana))
    await gallery.room('test tools', () => testToolsRoom(given))
    await gallery.room('batches', () => batchRoom(given, ana))
    await gallery.room('in doubt', () => inDoubtRoom(given, ana))
    await gallery.room('3-D Secure', () => threeDsRoom(given))
    await gallery.room('alerts', () => alertRoom(given))
    gallery.isSound()
  })

  test('what waits: a gateway, a limit, and a person who is away', async () => {
    const ana = await storeCard(service, 'waits@example.com')
    const { page, client } = await open({ path: 'products' })
    const gallery = galleryOf(page, pages())
    await page.clock.install()
    await gallery.room('away', () => awayRoom(gallery))
    await gallery.room('limited', () => limitedRoom(gallery))
    await gallery.room('waiting', () => waitingRoom({ service, gallery, client }, ana))
    gallery.isSound()
  })

  for (const locale of ['fr-CA', 'es'] as const)
    test(`home, a payment and its refund in ${locale}`, async () => {
      const t = await PAYMENT_TEXTS.load(locale)
      const { recordID } = (await sellTo(service, await storeCard(service, `${locale}@example.com`))).body
      const { page } = await open({ context: { locale, viewport: { width: 320, height: 900 } } })
      const gallery = galleryOf(page, pages())
      await gallery.room(locale, async () => {
        await page.getByRole('heading', { level: 1 }).waitFor()
        await gallery.allLooks(`home in ${locale}`)
        await gallery.go(`payments/${recordID}`)
        await gallery.press(t.refund)
        await page.getByRole('dialog').locator('button[type=submit]:enabled').waitFor()
        await gallery.dialogLooks(`a refund in ${locale}`)
        await page.getByRole('dialog').locator('button[type=submit]').click()
        await gallery.sees(t.why_refunded)
        await gallery.looks(`a refunded payment in ${locale}`)
      })
      gallery.isSound()
    })

  test('a sale by support, and a table on a phone that is scrolled', async () => {
    const { page } = await open({ role: 'support', context: { viewport: { width: 390, height: 844 } } })
    const gallery = galleryOf(page, pages())
    await gallery.room('phone', async () => {
      const { customerId } = await storeCard(service, 'phone@example.com')
      await gallery.go(`sales/new?customer=${customerId}`)
      await page.getByRole('radio', { name: /4242/ }).check()
      await page.getByRole('textbox', { name: 'Amount' }).fill('20')
      await gallery.press('Charge')
      await page.getByRole('button', { name: /^Charge .*20\.00 to Visa •••• 4242$/ }).waitFor()
      await gallery.looks('a sale by support, on a phone')
      await gallery.leave()
      await gallery.go('payments')
      await page.locator('tbody tr a').first().waitFor()
      await page
        .locator('.table-scroll')
        .first()
        .evaluate((region) => region.scrollTo(10_000, 0))
      await gallery.looks('payments on a phone, scrolled')
      await gallery.press('Open the menu')
      await page.getByRole('dialog', { name: 'Pages' }).getByRole('link', { name: 'Customers' }).waitFor()
      await gallery.looks('the navigation on a phone')
    })
    gallery.isSound()
  })
})

async function sessionRoom({ service, gallery, client }: Given) {
  const { page, go, press, confirm, sees, looks, dialogLooks, leave } = gallery
  await sees('Three steps to your first payment')
  await gallery.allLooks('home of an empty business')
  await go('sessions/new')
  await page.getByLabel('Amount').fill('12.50')
  await page.getByLabel('or an e-mail address').fill('link@example.com')
  await page.getByLabel('Description').fill('Two lamps')
  await looks('a new payment link')
  await press('Create the link for $12.50')
  await page.getByRole('img', { name: 'QR code of Payment link' }).waitFor()
  await looks('a session with its link')
  await press('Cancel the session')
  await dialogLooks('a session is cancelled')
  const [{ id }] = (await client.call('GET /checkout_sessions')).body.data
  const link = (await client.call(`GET /checkout_sessions/${id}`)).body.checkout_url
  const url = link ?? (await page.getByRole('link', { name: 'Open the link' }).getAttribute('href'))
  const paid = await payerOf(service).pay(url.split('/').at(-1), payBody(undefined, {}, { amount: 12.5 }))
  equal(paid.body.ok, true, JSON.stringify(paid.body))
  await confirm('Cancel the session')
  await page.getByRole('dialog').getByText('This did not work').waitFor()
  await dialogLooks('a session that was paid before it was cancelled')
  await leave()
  await looks('a session that has been paid')
  await go('sessions')
  await page.locator('tbody tr a').first().waitFor()
  await looks('sessions')
  await press('Export')
  await page.getByRole('dialog').getByText('payment_status').waitFor()
  await looks('the columns of a file')
  await leave()
  await go('home')
  await press('Show as table')
  await looks('home after the first payment, as a table')
}

async function paymentsRoom({ service, gallery }: Given) {
  const { page, go, press, sees, looks, leave } = gallery
  const token = await merchantOf(service).sessionToken({ customer_email: 'bo@example.com' })
  await payerOf(service).pay(token, payBody(CARDS.declined))
  await payerOf(service).pay(token, payBody(CARDS.mastercard))
  await go('payments?kind=session', 'anew')
  await sees('Declined by the issuer (ND)')
  await looks('payments of sessions')
  await press('Views')
  await page.getByRole('menuitem', { name: /Save/ }).waitFor()
  await looks('the menu of views')
  await page.keyboard.press('Escape')
  await go('payments?amount_from=1000')
  await page.getByRole('textbox', { name: 'Amount, from' }).fill('ten')
  await page.keyboard.press('Enter')
  await sees('Enter an amount such as 12.50')
  await looks('a filter that cannot be read')
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox').fill('4444')
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /Payment .*Succeeded/ })
    .first()
    .waitFor()
  await looks('what a search has found')
  await leave()
  await addDeclinedSales(service, 30)
  await go('payments?limit=25', 'anew')
  await press('Older')
  await until('the second page', async () => page.url().includes('starting_after'))
  await looks('a second page of payments')
}

async function refundRoom({ service, gallery }: Given, ana: StoredCardIds) {
  const { page, go, press, confirm, sees, looks, dialogLooks } = gallery
  const { id } = await payForSubscription(service, ana)
  await go(`payments/${id}`)
  await sees('Timeline')
  await press('Refund')
  await page.getByRole('textbox', { name: 'Amount to refund' }).fill('10.00')
  const verb = page.getByRole('button', { name: /^Refund .*10\.00$/ })
  await verb.waitFor()
  await sees('ana@example.com gets a letter')
  await looks('a refund')
  await verb.click()
  await sees('Partly refunded')
  await composeDue(service.app.services, { businessId: service.demo.business_id })
  await page.reload()
  await sees(/Letter to ana@example.com/)
  await looks('a payment of which a part is refunded, with its letters')
  await press('Refund')
  await confirm(/^Refund .*2\.34$/)
  await sees('All of it is refunded.')
  await looks('a payment that is refunded')
  await page.route('**/receipt', (route) => route.abort())
  await press(PAYMENT_TEXTS.english.getReceipt)
  await sees('The file was not downloaded')
  await looks('a download that has failed')
  await page.unrouteAll()
  const declines = await storeCard(service, 'declines@example.com', { cardNumber: CARDS.refundsDeclined })
  await go(`payments/${(await sellTo(service, declines, { amount: 20 })).body.recordID}`)
  await press('Refund')
  await confirm(/^Refund .*20\.00$/)
  await sees('The issuer declined it')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await looks('a payment whose refund was declined')
  await go(`payments/${(await sellTo(service, ana, { amount: 31 })).body.recordID}`)
  await page.route(/\/refunds$/, (route) => route.abort('connectionreset'))
  await press('Refund')
  await confirm(/^Refund .*31\.00$/)
  await page.getByRole('dialog').getByText('It is not known whether this was done').waitFor()
  await dialogLooks('a refund without a response')
  await page.unrouteAll()
  await gallery.leave()
}

async function voidRoom({ service, gallery }: Given, ana: StoredCardIds) {
  const { page, go, press, sees, looks, dialogLooks } = gallery
  const { recordID } = (await sellTo(service, ana, { amount: 19 })).body
  await go(`payments/${recordID}`)
  const batch = { id: newId(), number: 7, status: 'settling', closed_at: null }
  await staleOnce(page, /\/voids\/preview$/, () => ({ batch }))
  await press('Void')
  const verb = page.getByRole('dialog').getByRole('button', { name: /^Void .*19\.00$/ })
  await verb.click()
  await page.getByRole('dialog').getByText('This has changed meanwhile.', { exact: false }).waitFor()
  await dialogLooks('a void whose batch has changed')
  await verb.click()
  await sees('The payment is voided.')
  await looks('a payment that is voided')
  await page.unrouteAll()
}

async function salesRoom({ service, gallery }: Given, ana: StoredCardIds) {
  const { page, go, press, confirm, sees, looks, dialogLooks } = gallery
  const blocked = await storeCard(service, 'fay@example.com')
  const { db } = service.app.services
  await db.updateTable('stored_card').set({ charge_block: 'NC' }).where('id', '=', blocked.cardId).execute()
  await go(`sales/new?customer=${blocked.customerId}`)
  await sees('Declined for good: Stolen or pick-up card (NC)')
  await looks('a sale on a card that cannot be charged')
  const fill = async (customerId: string) => {
    await go(`sales/new?customer=${customerId}`, 'anew')
    await page.getByRole('radio', { name: /4242/ }).check()
    await page.getByRole('textbox', { name: 'Amount' }).fill('20')
  }
  await fill(ana.customerId)
  await page.route(/\/sales$/, (route) => route.abort('connectionreset'))
  await press('Charge')
  await confirm(/^Charge .*20\.00/)
  await page.getByRole('dialog').getByText('It is not known whether this was done').waitFor()
  await dialogLooks('a sale without a response')
  await confirm('Cancel')
  await sees(/the card may have been charged/)
  await looks('a sale whose outcome nobody knows')
  await page.unrouteAll()
  await fill(ana.customerId)
  await staleOnce(page, /\/sales\/preview$/, () => ({ total_amount: 2100 }))
  await press('Charge')
  await confirm(/^Charge .*21\.00/)
  await page.getByRole('dialog').getByText('This has changed meanwhile.', { exact: false }).waitFor()
  await dialogLooks('a sale whose figures have changed')
  await page.unrouteAll()
}

async function testToolsRoom({ service, gallery, client }: Given) {
  const { page, go, press, looks } = gallery
  equal((await client.call('POST /test_data')).status, 201)
  await go('test', 'anew')
  await press('To the next bill')
  await page.getByRole('heading', { name: 'What ran' }).waitFor({ timeout: 30_000 })
  await page.getByRole('searchbox', { name: 'Find a card' }).fill('insufficient')
  await page.getByRole('cell', { name: /4000 0000 0000 9995/ }).waitFor()
  await looks('test tools after a run')
  await composeDue(service.app.services, { businessId: service.demo.business_id })
  await go('test/mailbox')
  await page
    .getByRole('row', { name: /Your refund of .* ana@example\.com/ })
    .first()
    .waitFor()
  await looks('the mailbox with letters')
  const [{ id }] = (await client.call('GET /mailbox')).body.data
  await go(`test/mailbox/${id}`)
  await page.frameLocator('iframe').locator('body').getByText('Demo Shop').first().waitFor()
  await looks('a letter')
  await go('test/ledger')
  await page.getByRole('cell', { name: 'sale' }).first().waitFor()
  await looks('the ledger')
}

async function batchRoom({ service, gallery, client }: Given, ana: StoredCardIds) {
  const { page, go, sees, looks, dialogLooks } = gallery
  const { recordID: inBatch } = (await sellTo(service, ana, { amount: 22 })).body
  await go('batches', 'anew')
  const opener = page.getByRole('region', { name: 'Open batch, USD' }).getByRole('button', { name: 'Settle' })
  await opener.click()
  const batchVerb = page.getByRole('dialog').getByRole('button', { name: /^Settle \$/ })
  await batchVerb.waitFor()
  await sellTo(service, ana, { amount: 23 })
  await batchVerb.click()
  await page.getByRole('dialog').getByText('The batch changed meanwhile').waitFor()
  await dialogLooks('a batch that has changed')
  await service.simulator.script({ outcomes: [{ op: 'settle', outcome: 'declined' }] })
  await batchVerb.click()
  await page
    .getByRole('dialog')
    .getByText(/^The gateway says: DECLINED/)
    .waitFor()
  await dialogLooks('a batch that the gateway did not settle')
  await batchVerb.click()
  await sees('Batch 1 is settled')
  const [{ id }] = (await client.call('GET /batches', { query: { status: 'settled' } })).body.data
  await go(`batches/${id}`)
  await page.getByRole('heading', { name: 'Batch 1' }).waitFor()
  await sees(/entries$/)
  await looks('a batch')
  await go(`payments/${inBatch}`)
  await sees('Its batch is settled, so it cannot be voided: refund it.')
  await looks('a payment whose batch is settled')
}

async function inDoubtRoom({ service, gallery, client }: Given, ana: StoredCardIds) {
  const { page, go, sees, looks } = gallery
  await service.simulator.script({ outcomes: [{ op: 'refund', outcome: 'silent_recorded' }, UNKNOWN] })
  const { recordID } = (await sellTo(service, ana, { amount: 40 })).body
  const { body } = await client.call(`POST /payments/${recordID}/refunds`, { body: { reason: 'requested' } })
  await until('an inquiry', async () => (await client.call(`POST /operations/${body.id}/inquire`)).status === 200)
  await go(`payments/${recordID}`)
  await sees('A refund or a void is being resolved.')
  await looks('a payment whose refund is being resolved')
  await go('in-doubt', 'anew')
  await page.getByRole('button', { name: /Inquire now about .*40\.00/ }).waitFor()
  await looks('operations in doubt')
  await page.setViewportSize({ width: 1600, height: 900 })
  await looks('operations in doubt, on a wide screen')
  await page.setViewportSize({ width: 1280, height: 720 })
  await service.simulator.resetScript()
}

async function threeDsRoom({ service, gallery, client }: Given) {
  const { page, go, sees, looks } = gallery
  await requireThreeDs(service)
  const token = await merchantOf(service).sessionToken()
  await authenticated(service, { token, row: { state: 'FAILED', trans_status: 'N', eci: '07' } })
  await authenticated(service, { token, row: { challenged_at: new Date() } })
  equal((await payerOf(service).pay(token)).body.ok, true)
  await dropThreeDs(service)
  const [{ id, session }] = (await client.call('GET /payments')).body.data
  await go(`payments/${id}`)
  await page.getByRole('region', { name: '3-D Secure' }).getByText('Authenticated (Y)').waitFor()
  await looks('a payment with 3-D Secure')
  await go(`sessions/${session}`)
  await page.getByRole('table', { name: '3-D Secure' }).waitFor()
  await looks('a session with 3-D Secure')
  const { version } = (await client.call('GET /settings')).body
  const body = { version, google_pay_enabled: true, google_pay_merchant_id: 'BCR2DN4T' }
  equal((await client.call('PATCH /settings', { body })).status, 200)
  equal((await client.call('POST /google_pay_keys')).status, 201)
  await go('settings/payments', 'anew')
  await page.getByRole('region', { name: 'Keys of Google Pay' }).getByText('Active').first().waitFor()
  await sees('Keys of Google Pay')
  await looks('settings of payments with a key of Google Pay')
}

async function alertRoom({ service, gallery }: Given) {
  const { page, go, press, sees, dialogLooks } = gallery
  await makeAlerts(service)
  await go('home', 'anew')
  await page.getByRole('region', { name: 'Needs your attention' }).getByText('The job settle-batches failed').waitFor()
  await gallery.allLooks('home with every alert')
  await press('Skip them')
  await sees(/whose period is over/)
  await dialogLooks('missed bills are skipped')
}

async function awayRoom({ page, sees, looks }: Gallery) {
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.clock.fastForward(13 * 60_000 + 10_000)
  await page.getByRole('dialog', { name: 'Are you still there?' }).waitFor()
  await page.clock.runFor(1_000)
  await sees('Are you still there?')
  await looks('a person who is asked whether they are still there')
  await page.keyboard.press('Enter')
  await page.clock.runFor(1_000)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function limitedRoom({ page, press, sees, looks }: Gallery) {
  const headers = { 'retry-after': '20' }
  const json = { error: { code: 'rate_limited', message: 'Too many calls.', request_id: newId() } }
  await page.route(/\/api\/b\/[^/]+\/products/, (route) => route.fulfill({ status: 429, headers, json }))
  await page.reload()
  await sees('Too many calls.')
  await press('New product')
  await page.getByLabel('Name').fill('Tea')
  await page.getByRole('dialog').locator('[type=submit]').click()
  await page.getByRole('dialog').getByText('Too many calls.').waitFor()
  await looks('a page and a dialog that have to wait')
  await page.unrouteAll()
}

async function waitingRoom({ service, gallery }: Given, ana: StoredCardIds) {
  const { page, go, press, confirm, dialogLooks } = gallery
  await go(`payments/${(await sellTo(service, ana, { amount: 33 })).body.recordID}`, 'anew')
  const released = Promise.withResolvers<void>()
  await page.route(/\/refunds$/, async (route) => {
    await released.promise
    await route.abort().catch(() => {})
  })
  await press('Refund')
  await confirm(/^Refund .*33\.00$/)
  await page.clock.runFor(16_000)
  await page.getByRole('dialog').getByText('The payment gateway has not responded yet.').waitFor()
  await dialogLooks('a refund to which the gateway has not responded')
  released.resolve()
}
