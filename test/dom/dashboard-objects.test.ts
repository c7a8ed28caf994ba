import { equal, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { type StoredCardIds, sellTo, storeCard } from '../support/stored-card.ts'
import { until } from '../support/until.ts'

// DSH-23, DSH-26, DSH-43, DSH-44: common features of the pages of objects and their lists.

describeDashboardInDom('Pages of objects', ({ service, open }) => {
  let ana: StoredCardIds
  before(async () => {
    ana = await storeCard(service, 'ana@example.com')
  })

  test('an attempt without a payment leads to the events of its session, or of its sale', async () => {
    const { page, client } = await open()
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
    equal((await sellTo(service, ana, { amount: 19 })).body.ok, false)
    const token = await merchantOf(service).sessionToken()
    await payerOf(service).pay(token, payBody(CARDS.declined))
    const [ofSession, ofSale] = (await client.call('GET /payments')).body.data
    for (const [{ id, session }, name, object] of [
      [ofSession, 'Events of its session', ofSession.session],
      [ofSale, 'Events of this sale', ofSale.id],
    ]) {
      await page.goto(page.url().replace(/(\/b\/[^/]+)\/.*/, `$1/payments/${id}`))
      await page.getByRole('link', { name }).click()
      await page.waitForURL(`**/events?object=${object}`)
      if (!session) await page.getByRole('link', { name: 'sale.failed' }).waitFor()
    }
  })

  test('a name and a saved view can be taken back for eight seconds (DSH-26)', async () => {
    const { page } = await open({ path: '/dashboard/account' })
    const name = page.getByLabel('Name').first()
    const first = await name.inputValue()
    await name.fill('Another name')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Account of Another name' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: `Account of ${first}` }).waitFor()
    await until('the field has it too', async () => (await name.inputValue()) === first)
    await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/payments`)
    const views = page.getByRole('button', { name: 'Views' })
    await views.click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByRole('textbox', { name: /Name/ }).fill('Taken back')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await until('the view is gone', async () => (await viewsNamed('Taken back')) === 0)
  })

  test('what cannot be taken back or deleted says why (DSH-26)', async () => {
    const { page, client } = await open({ path: '/dashboard/account' })
    await page.getByLabel('Name').first().fill('Another name')
    await page.getByRole('button', { name: 'Save' }).click()
    const json = { error: { code: 'rate_limited', message: 'Too many calls.' } }
    await page.route(/\/auth\/account$/, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 429, json }),
    )
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('alert').filter({ hasText: 'Too many calls.' }).last().waitFor()
    const body = { list: 'payments', name: 'Kept', query: {}, columns: null, is_shared: false }
    equal((await client.call('POST /views', { body })).status, 201)
    await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/payments`)
    await page.route(/\/views\/[^/]+$/, (route) => route.abort('connectionreset'))
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Delete the view Kept' }).click()
    await page.getByText('It is not known whether this was done').waitFor()
    equal(await viewsNamed('Kept'), 1)
  })

  test('a sign-out that did not work leads nowhere, and says so (DSH-10)', async () => {
    const { page, client } = await open({ path: 'payments' })
    await page.waitForLoadState('networkidle')
    const signOut = async () => {
      await page.getByRole('button', { name: /^Account of/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    const json = { error: { code: 'unavailable', message: 'The service is not available for a moment.' } }
    await page.route(/\/sign-out$/, (route) => route.fulfill({ status: 503, json }))
    await signOut()
    await page.getByText('The service is not available for a moment.').last().waitFor()
    ok(page.url().endsWith('/payments'))
    await page.unroute(/\/sign-out$/)
    // A person whose session has ended is already signed out.
    await service.app.services.db.deleteFrom('auth_session').where('user_id', '=', client.userId).execute()
    await signOut()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  })

  const viewsNamed = async (name: string) => {
    const { db } = service.app.services
    const rows = await db.selectFrom('saved_view').select('id').where('name', '=', name).execute()
    return rows.length
  }
})
