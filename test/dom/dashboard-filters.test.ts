import { deepEqual, equal } from 'node:assert/strict'
import { before, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { until } from '../support/until.ts'

// DSH-8: the fields of the filters show the values in the URL, and the URL gets only complete input.

describeDashboardInDom('The filters of a list', ({ service, open }) => {
  before(async () => {
    for (const card of [CARDS.visa, CARDS.mastercard]) {
      const token = await merchantOf(service).sessionToken()
      await payerOf(service).pay(token, payBody(card))
    }
  })

  test('show what a view has, and nothing once the list is opened anew', async () => {
    const { page, client } = await open({ path: 'payments?last4=4242&amount_from=1000' })
    const query = { last4: '4444', amount_from: '2000' }
    const view = { list: 'payments', name: 'Fours', query, columns: null, is_shared: false }
    equal((await client.call('POST /views', { body: view })).status, 201)
    const digits = page.getByRole('textbox', { name: 'Last four digits' })
    const least = page.getByRole('textbox', { name: 'Amount, from' })
    equal(await least.inputValue(), '10.00')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Fours', exact: true }).click()
    await page.waitForURL('**/payments?last4=4444&amount_from=2000')
    deepEqual([await digits.inputValue(), await least.inputValue()], ['4444', '20.00'])
    await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/payments`)
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('menuitem', { name: 'Last four digits' }).click()
    await digits.fill('4242')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/payments?last4=4242')
    await page.getByRole('link', { name: 'Payments', exact: true }).first().click()
    await page.waitForURL('**/payments')
    await until('the field is empty', async () => (await digits.inputValue()) === '')
  })

  test('an amount that cannot be read says so, and leaves the list as it is', async () => {
    const { page } = await open({ path: 'payments?amount_from=1000' })
    const field = page.getByRole('textbox', { name: 'Amount, from' })
    await field.fill('ten')
    await page.keyboard.press('Enter')
    await page.getByText('Enter an amount such as 12.50').waitFor()
    equal(new URL(page.url()).search, '?amount_from=1000')
    await field.fill('12,5')
    equal(await page.getByText('Enter an amount such as').count(), 0)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/payments?amount_from=1250')
    await field.fill('')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/payments')
  })

  test('of an address that was written by hand and has no amount, the list says so', async () => {
    const { page } = await open({ path: 'payments?amount_from=ten' })
    await page.getByRole('textbox', { name: 'Amount, from' }).waitFor()
    await page.getByText('amount_from', { exact: false }).first().waitFor()
  })

  test('a year is read when it is whole', async () => {
    const { page } = await open({ path: 'payments?from=2026-11-28' })
    const years = new Set<string>()
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith('/payments')) years.add(searchParams.get('from')?.slice(0, 4) ?? '')
    })
    const day = page.getByLabel('Days, from')
    // Values of the browser's field while 2025 is typed.
    for (const year of ['0002', '0020', '0202', '2025']) await day.fill(`${year}-11-28`)
    await page.waitForURL('**/payments?from=2025-11-28')
    await until('it is read', async () => years.has('2025'))
    deepEqual(
      [...years].filter((year) => year < '2025'),
      [],
    )
    // A day that is being edited stays until the field loses focus.
    await day.fill('')
    equal(new URL(page.url()).search, '?from=2025-11-28')
    equal(await day.count(), 1)
    await day.blur()
    await page.waitForURL('**/payments')
  })

  test('a field that is left as it was keeps the place in the list', async () => {
    const { page } = await open({ path: 'payments?last4=4242&limit=25' })
    const first = page.locator('tbody tr').first().getByRole('link').first()
    const id = ((await first.getAttribute('href')) ?? '').split('/').at(-1)
    const place = `payments?last4=4242&limit=25&starting_after=${id}`
    await page.goto(page.url().replace(/payments.*/, place))
    await page.getByRole('textbox', { name: 'Last four digits' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Newer' }).waitFor()
    equal(page.url().endsWith(place), true, page.url())
  })
})
