import { test } from 'node:test'
import { VIEW_LISTS, type ViewList } from '../../contract/dashboard/views-api.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { until } from '../support/until.ts'

describeDashboardInDom('Saved views', ({ service, open }) => {
  test('every list that can have views has them, and keeps one', async () => {
    const endpoint = await merchantApiOf(service).made('/webhook_endpoints', {
      url: 'https://shop.example/hook',
      enabled_events: ['payment.succeeded'],
    })
    const paths: Record<ViewList, string> = {
      payments: 'payments',
      operations: 'in-doubt',
      sessions: 'sessions',
      customers: 'customers',
      subscriptions: 'subscriptions',
      products: 'products',
      batches: 'batches',
      contracts: 'contracts',
      webhook_deliveries: `webhooks/${endpoint.id}`,
      events: 'events',
      requests: 'requests',
      audit: 'audit',
    }
    const { page, client } = await open()
    for (const list of VIEW_LISTS) {
      await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/${paths[list]}`)
      await page.getByRole('button', { name: 'Views' }).click()
      await page.getByRole('menuitem', { name: /Save/ }).click()
      await page.getByRole('textbox', { name: /Name/ }).fill(`All of ${list}`)
      await page.getByRole('dialog').getByRole('button', { name: /Save/ }).click()
      const stored = async () => (await client.call('GET /views', { query: { list } })).body.data[0]?.name
      await until(`the view of ${list}`, async () => (await stored()) === `All of ${list}`)
    }
  })
})
