import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { CARDS } from '../support/card-numbers.ts'
import { describeDashboard, takeScreenshots } from '../support/describe-dashboard.ts'
import { lettersOf } from '../support/letters.ts'
import { payBody, payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { openedLink } from '../support/sign-up.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describeDashboard('a customer is asked for a card in the dashboard', ({ open, service }) => {
  const api = () => merchantApiOf(service)
  const customer = async (more: object = {}) =>
    (await api().made('/customers', { name: 'Ana Roy', ...more })).id as string
  const storeCard = async (link: string) => {
    const paid = await payerOf(service).pay(await openedLink(link), payBody(CARDS.visa, {}, { amount: 0 }))
    equal(paid.body.ok, true, JSON.stringify(paid.body))
  }

  test('by letter, without a subscription: the customer stores it, and the page shows it', async () => {
    const id = await customer({ email: 'keep@example.com' })
    const { page } = await open({ path: `customers/${id}` })
    await page.getByRole('button', { name: 'Ask for a card' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The card is checked and saved. Nothing is charged now').waitFor()
    equal(await dialog.getByRole('radio', { name: 'By e-mail to keep@example.com' }).isChecked(), true)
    await takeScreenshots(page, 'ask-for-card')
    await dialog.getByRole('button', { name: 'Send the letter' }).click()
    await page.getByText('The letter is on its way.').last().waitFor()
    await composeDue(service.app.services, { businessId: service.demo.business_id })
    const letter = (await lettersOf(service)).findLast(({ recipient }) => recipient === 'keep@example.com')
    await storeCard(/https?:\/\/\S+\/customer\/checkout\/[\w-]{64}/.exec(letter?.body_text ?? '')?.[0] ?? '')
    await page.reload()
    await page.getByText('Visa •••• 4242').first().waitFor()
    await page.getByText('Please save a card for Demo Shop').first().waitFor()
    await page
      .getByRole('row', { name: /\$0\.00/ })
      .getByRole('link')
      .click()
    await page.getByText('Card only').waitFor()
    await page.getByText('A person, in the dashboard').waitFor()
  })

  test('by a link that the person gives, with the keyboard, where there is no e-mail address', async () => {
    const id = await customer()
    const { page } = await open({ path: `customers/${id}`, context: PHONE })
    await page.getByRole('button', { name: 'Ask for a card' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The customer has no e-mail address.').waitFor()
    equal(await dialog.getByRole('radio', { name: 'By e-mail' }).isDisabled(), true)
    await takeScreenshots(page, 'ask-for-card-no-email')
    await dialog.getByRole('button', { name: 'Show the link' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: 'QR code of Link for the card' }).waitFor()
    const link = (await dialog.locator('code').textContent()) ?? ''
    match(link, /\/customer\/checkout\/[\w-]{64}$/)
    await dialog.getByRole('button', { name: 'Copy Link for the card' }).waitFor()
    await takeScreenshots(page, 'card-link')
    await storeCard(link)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    deepEqual(
      (await lettersOf(service)).filter(({ object_id }) => object_id === id),
      [],
    )
    await page.reload()
    await page.getByText('Visa •••• 4242').first().waitFor()
  })
})
