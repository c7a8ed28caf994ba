import { deepEqual, equal, ok } from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { RunningSimulator } from '../../server/gateway/simulator/start-simulator.ts'
import { startSimulators } from '../../server/serve/start-simulators.ts'
import { threeDsTestCard } from '../../server/three-d-secure/simulator/test-cards.ts'
import { accessibilityFaults, faultsInLightAndDark } from '../support/accessibility.ts'
import { borrowBrowser } from '../support/browser.ts'
import { pressOn, typeInto } from '../support/keyboard.ts'
import { decoded, encoded, type Json, requestorOf } from '../support/three-ds-requestor.ts'
import { until } from '../support/until.ts'

// The simulated bank in the sandboxed frame of a page of a different site (TDS-18).

const SANDBOX = 'allow-forms allow-scripts allow-same-origin allow-popups'
const WINDOWS = [
  { width: 250, height: 400 },
  { width: 390, height: 400 },
  { width: 500, height: 600 },
  { width: 600, height: 400 },
  { width: 1280, height: 800 },
]

describe('The simulated bank in a browser', () => {
  let borrowed: Awaited<ReturnType<typeof borrowBrowser>>
  let simulator: RunningSimulator
  let shop: Server
  let shopUrl: string
  let returned: URLSearchParams[]
  before(async () => {
    borrowed = await borrowBrowser()
    simulator = await startSimulators({ environment: 'staging', timeScale: 0.01 })
    shop = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        if (request.method === 'POST') returned.push(new URLSearchParams(Buffer.concat(chunks).toString()))
        const frame = `<iframe name="bank" title="bank" sandbox="${SANDBOX}" width="390" height="400"></iframe>`
        response.setHeader('content-type', 'text/html').end(request.method === 'POST' ? 'Returned' : frame)
      })
    })
    await new Promise<void>((resolve) => shop.listen(0, 'localhost', resolve))
    shopUrl = `http://localhost:${(shop.address() as AddressInfo).port}`
  })
  after(async () => {
    await borrowed.giveBack()
    await simulator.close()
    shop.closeAllConnections()
    shop.close()
  })

  /** Returns the fields that open a challenge. */
  async function challengeOf(digits: string, changes: Json = {}): Promise<Record<string, string>> {
    const notificationURL = `${shopUrl}/done`
    const { body } = await requestorOf(simulator).authenticate(threeDsTestCard('visa', digits), {
      notificationURL,
      ...changes,
    })
    const { acsTransID, threeDSServerTransID, messageVersion } = body
    const creq = { messageType: 'CReq', messageVersion, threeDSServerTransID, acsTransID, challengeWindowSize: '02' }
    return { creq: encoded(creq), threeDSSessionData: 'c2Vzc2lvbg' }
  }

  /** Posts a form to a page of the bank, into the frame or into the page itself. */
  async function post(page: Page, path: string, fields: Record<string, string>, target = 'bank'): Promise<void> {
    await page.evaluate(
      ({ action, fields, target }) => {
        const form = Object.assign(document.createElement('form'), { method: 'post', action, target })
        for (const [name, value] of Object.entries(fields)) {
          form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
        }
        document.body.append(form)
        form.submit()
      },
      { action: `${simulator.url}/sim/acs/${path}`, fields, target },
    )
  }

  async function shopPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await borrowed.browser.newContext(options)
    const page = await context.newPage()
    returned = []
    await page.goto(shopUrl)
    return page
  }

  const bankOf = (page: Page) => page.frameLocator('iframe')
  const cresOf = (fields: URLSearchParams | undefined) => decoded(fields?.get('cres') ?? undefined).transStatus

  test('takes the code by keyboard, says what is wrong, and returns to the shop', async () => {
    const page = await shopPage()
    await post(page, 'challenge', await challengeOf('2072'))
    const code = bankOf(page).getByLabel('Code', { exact: true })
    await code.waitFor()
    await code.focus()
    await page.keyboard.type('111111')
    await page.keyboard.press('Enter')
    await bankOf(page).getByRole('alert').getByText('Wrong code. You have 2 more tries.').waitFor()
    equal(await code.getAttribute('aria-invalid'), 'true')
    await code.focus()
    await page.keyboard.type('123456')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await until('the bank returns', () => returned.length > 0)
    deepEqual([cresOf(returned[0]), returned[0]?.get('threeDSSessionData')], ['Y', 'c2Vzc2lvbg'])
    equal(page.url(), `${shopUrl}/`)
    await page.context().close()
  })

  test('has a way to cancel by keyboard', async () => {
    const page = await shopPage()
    await post(page, 'challenge', await challengeOf('2072', { browserLanguage: 'fr-CA' }), '_self')
    await typeInto(page, page.getByLabel('Code', { exact: true }), '12')
    await pressOn(page, page.getByRole('button', { name: 'Annuler' }))
    await until('the bank returns', () => returned.length > 0)
    equal(cresOf(returned[0]), 'N')
    await page.context().close()
  })

  test('runs the method and challenges without a form, and posts by itself', async () => {
    const page = await shopPage()
    const { body: card } = await requestorOf(simulator).preauth(threeDsTestCard('visa', '2000'))
    const { threeDSServerTransID } = card
    const data = { threeDSServerTransID, threeDSMethodNotificationURL: `${shopUrl}/method-done` }
    await post(page, 'method', { threeDSMethodData: encoded(data) })
    await until('the method notifies', () => returned.length > 0)
    deepEqual(decoded(returned[0]?.get('threeDSMethodData') ?? undefined), { threeDSServerTransID })
    for (const [digits, transStatus] of [
      ['2070', 'Y'],
      ['2073', 'N'],
      ['2075', 'Y'],
    ] as const) {
      returned = []
      await post(page, 'challenge', await challengeOf(digits))
      await until('the bank returns', () => returned.length > 0)
      equal(cresOf(returned[0]), transStatus, digits)
    }
    await page.context().close()
  })

  test('works without scripts', async () => {
    const page = await shopPage({ javaScriptEnabled: false })
    const fields = await challengeOf('2072')
    const inputs = Object.entries(fields).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    )
    const action = `${simulator.url}/sim/acs/challenge`
    await page.setContent(`<form method="post" action="${action}">${inputs.join('')}<button>Open</button></form>`)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByLabel('Code', { exact: true }).fill('123456')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Returned').waitFor()
    equal(cresOf(returned[0]), 'Y')
    await page.context().close()
  })

  test('is accessible in every state, light and dark', async () => {
    const page = await shopPage({ bypassCSP: true, viewport: { width: 390, height: 400 } })
    const open = async (digits: string, changes: Json = {}) => {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(shopUrl)
      await post(page, 'challenge', await challengeOf(digits, changes), '_self')
      await page.locator('h1').waitFor()
    }
    const found: string[] = []
    for (const browserLanguage of ['en', 'fr-CA', 'es']) {
      // Colours do not depend on the language, so the dark ones are only tested in one.
      const look = () => (browserLanguage === 'fr-CA' ? faultsInLightAndDark(page) : accessibilityFaults(page))
      await open('2072', { browserLanguage })
      await page.locator('#code').waitFor()
      found.push(...(await look()))
      await page.locator('#code').fill('1')
      await page.locator('button.main').click()
      await page.locator('.wrong').waitFor()
      found.push(...(await look()))
    }
    for (const digits of ['2074', '2079']) {
      await open(digits)
      found.push(...(await faultsInLightAndDark(page)))
    }
    deepEqual(found, [])
    await page.context().close()
  })

  test('fits every window of the protocol, with its buttons in sight in the smallest one', async () => {
    const page = await shopPage()
    for (const viewport of WINDOWS) {
      // French is the longest.
      for (const browserLanguage of viewport.width === 250 ? ['en', 'fr-CA', 'es'] : ['fr-CA']) {
        await page.setViewportSize(viewport)
        await page.goto(shopUrl)
        await post(page, 'challenge', await challengeOf('2072', { browserLanguage }), '_self')
        await page.locator('#code').waitFor()
        await checkFit(page, `${viewport.width} ${browserLanguage}`)
        await page.locator('#code').fill('1')
        await page.locator('button.main').click()
        await page.locator('.wrong').waitFor()
        await checkFit(page, `${viewport.width} ${browserLanguage}, wrong code`)
      }
    }
    await page.context().close()
  })
})

async function checkFit(page: Page, name: string): Promise<void> {
  equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, name)
  const { height = 0 } = page.viewportSize() ?? {}
  for (const button of await page.getByRole('button').all()) {
    const box = await button.boundingBox()
    ok(box && box.y + box.height <= height && box.height >= 44, `${name}: ${JSON.stringify(box)}`)
  }
}
