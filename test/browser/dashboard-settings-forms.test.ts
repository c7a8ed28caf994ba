import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { describeDashboard } from '../support/describe-dashboard.ts'
import { until } from '../support/until.ts'

describeDashboard('what is typed into settings', ({ open }) => {
  test('DSH-62: letters that are switched quickly are all switched, beside what is typed and what others change', async () => {
    const { page, client } = await open({ path: 'settings/letters' })
    const read = async () => (await client.call('GET /settings')).body
    const sender = page.getByLabel('Sender name')
    await sender.fill('My shop')
    await client.call('PATCH /settings', {
      body: { version: (await read()).version, support_phone: '+1 514 555 0199' },
    })
    const before = (await read()).letters_off.length
    const switches = page.getByRole('switch')
    for (const index of [1, 2, 3]) await switches.nth(index).click({ force: true })
    await until('three more are off', async () => (await read()).letters_off.length === before + 3)
    equal(await page.getByText(/meanwhile/).count(), 0)
    for (const index of [1, 2, 3]) equal(await switches.nth(index).isChecked(), false)
    equal(await sender.inputValue(), 'My shop')
    await page.context().setOffline(true)
    await switches.nth(4).click({ force: true })
    await page.getByText('No response', { exact: false }).first().waitFor()
    equal(await switches.nth(4).isChecked(), true)
    equal(await sender.inputValue(), 'My shop')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Save' }).click()
    await until('it is saved', async () => (await read()).sender_name === 'My shop')
  })
})
