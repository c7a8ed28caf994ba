import { equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { isFocused } from '../support/keyboard.ts'
import { until } from '../support/until.ts'

describeDashboardInDom('what is typed into settings', ({ open }) => {
  test('DSH-62: what is not a number is not saved, and said at its field', async () => {
    const { page, client } = await open({ path: 'settings/payments' })
    const tax = page.getByLabel('Tax of new subscriptions in percent')
    await tax.fill('5 %')
    await page.getByLabel('Only payments above').fill('12.345')
    await page.getByRole('button', { name: 'Save' }).click()
    const problems = page.getByRole('group', { name: 'Check these fields' })
    match(
      await problems.innerText(),
      /Tax of new subscriptions in percent: Enter a number[\s\S]*Only payments above: Enter an amount/,
    )
    await until('the focus is there', () => isFocused(problems))
    equal(await tax.inputValue(), '5 %')
    equal((await client.call('GET /settings')).body.default_tax_rate, null)
    await page.getByLabel('Only payments above').fill('')
    await tax.fill('5')
    await page.getByRole('button', { name: 'Save' }).click()
    await until('it is saved', async () => (await client.call('GET /settings')).body.default_tax_rate === 5)
    await page.getByText('Saved', { exact: true }).last().waitFor()
    await tax.fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await until('it is empty again', async () => (await client.call('GET /settings')).body.default_tax_rate === null)
  })

  test('DSH-62: what is typed or chosen while the form is being saved stays, and can be saved', async () => {
    for (const { path, write, label, first, second, member } of [
      {
        path: 'payments',
        write: 'settings',
        label: 'Tax of new subscriptions in percent',
        first: '6',
        second: '7',
        member: 'default_tax_rate',
      },
      {
        path: 'branding',
        write: 'branding',
        label: 'Colour',
        first: '#123456',
        second: '#654321',
        member: 'brand_color',
      },
    ]) {
      const { page, client } = await open({ path: `settings/${path}` })
      const released = Promise.withResolvers<void>()
      await page.route(`**/${write}`, async (route) => {
        if (route.request().method() === 'PATCH') await released.promise
        await route.continue()
      })
      const field = page.getByRole('textbox', { name: label, exact: true })
      const save = page.getByRole('button', { name: 'Save' })
      await field.fill(first)
      await save.click()
      await field.fill(second)
      released.resolve()
      await page.getByText('Saved', { exact: true }).last().waitFor()
      equal(await field.inputValue(), second)
      const stored = async () => String((await client.call('GET /settings')).body[member])
      equal(await stored(), first)
      await save.click()
      await until('the second is saved', async () => (await stored()) === second)
    }
  })
})
