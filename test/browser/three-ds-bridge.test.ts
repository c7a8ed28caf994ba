import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Frame, Page } from 'playwright-core'
import { authenticationRow, recordAuthentication, recordChallenge } from '../support/authentication-row.ts'
import { frameAt, frameStep } from '../support/bank-step.ts'
import { inCase } from '../support/cases.ts'
import { describeInShop } from '../support/describe-in-browser.ts'
import { type FakeBank, postingPage, startFakeBank } from '../support/fake-bank.ts'
import { setBusiness } from '../support/recorded.ts'
import { until } from '../support/until.ts'

// A real Chromium, the real card page, and a bank on a different site that may do anything (TDS-5, TDS-7, TDS-23).

describeInShop('between the card page and the bank', ({ shops, browser }) => {
  let bank: FakeBank
  before(async () => {
    bank = await startFakeBank()
    await setBusiness({ app: shops.service.app, demo: shops.merchant.demo }, { three_ds_enabled: true })
  })
  after(() => bank.close())
  beforeEach(() => {
    bank.pages = {}
    bank.posts = []
  })

  const step = (path: string, { ddd }: { ddd: string }) => `${shops.service.formUrl}/customer/ddd/${path}/${ddd}`
  const idOf = async (token: string) => ({
    businessId: shops.merchant.demo.business_id,
    id: (await shops.merchant.details(token)).body.checkout_session.id as string,
  })
  const at = (path: string) => `${bank.origin}${path}`

  const newPage = async () => (await browser.newContext()).newPage()

  /** Opens the card page of a new session at top level, and records the violations of its policy. */
  async function openCard(given?: Page): Promise<{ page: Page; token: string; blocked: string[] }> {
    const token = await shops.merchant.sessionToken({ success_url: shops.origin(), cancel_url: shops.origin() })
    const page = given ?? (await newPage())
    const blocked: string[] = []
    page.removeAllListeners('console')
    page.on('console', (message) => message.type() === 'error' && blocked.push(message.text()))
    await page.goto(`${shops.service.formUrl}/customer/checkout/${token}`)
    return { page, token, blocked }
  }

  /** Opens a challenge of a new session in a card page at top level. */
  async function openChallenge(given?: Page) {
    const card = await openCard(given)
    const made = await recordChallenge(shops.service, await idOf(card.token), at('/challenge'))
    const { hints } = await frameStep(card.page, step('challenge', made))
    return { ...card, made, hints, end: () => card.page.context().close() }
  }
  const hint = (made: { ddd: string }) => ({
    origin: shops.service.formUrl,
    isFromFrame: true,
    data: { type: 'rc:ddd', id: made.ddd },
  })
  const isBack = async (made: { id: string }) =>
    (await authenticationRow(shops.service, made)).challenge_returned_at !== null

  test('TDS-6: the bank’s method runs and notifies, and the card page is woken', async () => {
    const { page, token, blocked } = await openCard()
    const made = await recordAuthentication(shops.service, await idOf(token), at('/method'))
    const data = Buffer.from(JSON.stringify({ threeDSServerTransID: made.serverTransactionId })).toString('base64url')
    bank.pages['/method'] = () => postingPage(step('method-done', made), { threeDSMethodData: data })
    const { hints } = await frameStep(page, step('method', made))
    await until('the hint is there', async () => (await hints()).length > 0)
    deepEqual(await hints(), [hint(made)])
    notEqual((await authenticationRow(shops.service, made)).method_done_at, null)
    equal(await page.getByText('security check needs JavaScript').isVisible(), false)
    match(bank.posts[0]?.form.get('threeDSMethodData') ?? '', /^[\w-]+$/)
    deepEqual(blocked, [])
    await page.context().close()
  })

  test('the challenge runs inside with payment and the keys of the device, returns, and the card page is woken once', async () => {
    bank.pages['/challenge'] = () => `<button onclick="this.remove();document.body.dataset.on=1">On</button>`
    const { page, made, hints, blocked, end } = await openChallenge()
    const inner = await frameAt(page, at('/challenge'))
    await inner.click('button')
    equal(await inner.getAttribute('body', 'data-on'), '1')
    deepEqual(await delegated(inner), { payment: true, 'publickey-credentials-get': true, camera: false })
    deepEqual(await hints(), [])
    await inner.setContent(postingPage(step('done', made), { cres: 'eyJ4IjoxfQ' }))
    await until('the hint is there', async () => (await hints()).length > 0)
    deepEqual(await hints(), [hint(made)])
    equal(await isBack(made), true)
    deepEqual(blocked, [])
    await end()
  })

  test('the card page’s own policy stays: it neither frames the bank nor posts to it', async () => {
    const { page, blocked, end } = await openChallenge()
    await frameAt(page, at('/challenge'))
    const policies = await page.evaluate(async (url) => {
      const rules: string[] = []
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => rules.push(effectiveDirective))
      document.body.append(Object.assign(document.createElement('iframe'), { src: url }))
      const form = Object.assign(document.createElement('form'), { action: url, method: 'post' })
      document.body.append(form)
      form.submit()
      while (rules.length < 2) await new Promise((resolve) => setTimeout(resolve, 10))
      return rules.sort()
    }, at('/direct'))
    deepEqual(policies, ['form-action', 'frame-src'])
    await until('the console has both', () => blocked.length >= 2)
    equal(blocked.length, 2)
    deepEqual(
      bank.posts.map(({ path }) => path),
      ['/challenge'],
    )
    await end()
  })

  const hostile: Record<string, string> = {
    'navigates the top': "top.location = 'URL'",
    'navigates the bridge': "parent.location = 'URL'",
    'opens the top by its name': "open('URL', '_top'); open('URL', '_parent')",
    'submits a form to the top':
      "const form = Object.assign(document.createElement('form'), { action: 'URL', target: '_top' }); document.body.append(form); form.submit()",
    'clicks a link to the top':
      "const a = Object.assign(document.createElement('a'), { href: 'URL', target: '_top' }); document.body.append(a); a.click()",
    'takes the focus, and asks': "alert(1); confirm('x'); print(); focus()",
    'forges the hint': "for (const to of [parent, top]) to.postMessage({ type: 'rc:ddd', id: 'ID' }, '*')",
    'posts rubbish':
      "for (const to of [parent, top]) for (const data of [null, 1, 'rc:ddd', [], {}, { type: 'rc:ddd' }]) to.postMessage(data, '*')",
  }
  test('CAS-79: a bank does no harm, whatever its script does', async () => {
    bank.pages['/challenge'] = () => '<button>On</button>'
    const { page, made, hints, end } = await openChallenge()
    const before = page.url()
    const inner = await frameAt(page, at('/challenge'))
    for (const [name, script] of Object.entries(hostile))
      await inCase(`a bank that ${name}`, async () => {
        const code = script.replaceAll('URL', at('/evil')).replaceAll('ID', made.ddd)
        const content = `document.querySelector('button').onclick = () => { document.title = '${name}'; ${code} }`
        await inner.addScriptTag({ content })
        // After the click, the browser allows the page everything that it allows at all.
        await inner.click('button')
        equal(await inner.title(), name)
        await page.waitForTimeout(50)
        equal(page.url(), before)
        deepEqual(
          page.frames().map((frame) => frame.url()),
          [before, step('challenge', made), at('/challenge')],
        )
        ok((await hints()).every(({ origin, isFromFrame }) => origin === bank.origin && !isFromFrame))
        equal(await isBack(made), false)
      })
    await end()
  })

  const going = {
    redirect: (redirect: string) => ({ redirect }),
    script: (url: string) => `<script>location = '${url}'</script>`,
    post: (url: string) => postingPage(url, {}),
  }
  const leaving: Record<string, () => string> = {
    'to another site': () => `http://other.localhost:${new URL(bank.origin).port}/`,
    'to another document of the card page’s origin': () =>
      `${shops.service.formUrl}/customer/checkout/${'a'.repeat(64)}`,
    'to the document of another authentication': () =>
      step('done', { ddd: 'ddd_01a20523-7f55-736d-a766-651fccf7413a' }),
  }
  test('a bank that goes elsewhere stops there', async () => {
    const card = await newPage()
    for (const [name, target] of Object.entries(leaving))
      for (const way of ['redirect', 'script', 'post'] as const)
        await inCase(`${name}, by ${way}`, async () => {
          const url = target()
          bank.pages['/challenge'] = () => going[way](url)
          const { page, made, hints, blocked } = await openChallenge(card)
          await until('it is blocked', () => blocked.some((text) => /frame-src|form-action/.test(text)))
          equal(
            page.frames().some((frame) => frame.url() === url),
            false,
          )
          deepEqual(await hints(), [])
          equal(await isBack(made), false)
        })
    await card.context().close()
  })

  test('a bank that returns in a frame of its own is back for the service, and does not wake the page', async () => {
    const { page, made, hints, end } = await openChallenge()
    const inner = await frameAt(page, at('/challenge'))
    await inner.setContent(
      `<iframe name="deep"></iframe><form method="post" target="deep" action="${step('done', made)}"></form>`,
    )
    await inner.evaluate(() => document.forms[0]?.submit())
    await until('the browser is back', () => isBack(made))
    deepEqual(await hints(), [])
    await end()
  })

  for (const script of ['rialto-checkout', 'rapid'] as const) {
    test(`it works in the merchant’s page with ${script}, three frames deep`, async () => {
      const shop = await shops.open(browser, { script })
      const card = await shop.create({ success_url: `${shops.origin()}/thanks`, cancel_url: `${shops.origin()}/cart` })
      const token = new URL(card.url()).pathname.split('/').at(-1) ?? ''
      const made = await recordChallenge(shops.service, await idOf(token), at('/challenge'))
      const { hints } = await frameStep(card, step('challenge', made))
      const inner = await frameAt(shop.page, at('/challenge'))
      deepEqual(depthOf(inner), 3)
      deepEqual(await delegated(inner), { payment: true, 'publickey-credentials-get': true, camera: false })
      await inner.evaluate(() => {
        try {
          Object.assign(top ?? {}, { location: 'about:blank' })
        } catch {}
      })
      await inner.setContent(postingPage(step('done', made), { cres: 'x' }))
      await until('the hint is there', async () => (await hints()).length > 0)
      deepEqual(await hints(), [hint(made)])
      match(shop.page.url(), /\/shop\?/)
      await shop.end()
    })
  }

  test('a page of another origin than the session’s cannot frame it', async () => {
    const token = await shops.merchant.sessionToken({
      ui_mode: 'embedded',
      success_url: shops.origin(),
      cancel_url: shops.origin(),
    })
    const made = await recordChallenge(shops.service, await idOf(token), at('/challenge'))
    const page = await (await browser.newContext()).newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    await page.goto(`${shops.origin('evil.localhost')}/frame?src=${encodeURIComponent(step('challenge', made))}`)
    await until('it is refused', () => complaints.some((text) => text.includes('frame-ancestors')))
    deepEqual(bank.posts, [])
    await page.context().close()
  })

  test('without JavaScript the card page says that it is needed, and the payer presses a button', async () => {
    const token = await shops.merchant.sessionToken({ success_url: shops.origin(), cancel_url: shops.origin() })
    const made = await recordChallenge(shops.service, await idOf(token), at('/challenge'))
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await page.goto(`${shops.service.formUrl}/customer/checkout/${token}`)
    equal(await page.getByText('security check needs JavaScript').isVisible(), true)
    await page.goto(step('challenge', made))
    deepEqual(bank.posts, [])
    await page.getByRole('button', { name: 'Continue to your bank' }).click()
    await until('the bank has the form', () => bank.posts.length === 1)
    await page.context().close()
  })
})

const depthOf = (frame: Frame): number => {
  const parent = frame.parentFrame()
  return parent ? depthOf(parent) + 1 : 0
}

/** Returns the features that the document may use, and one that it may not. */
const delegated = (frame: Frame) =>
  frame.evaluate(() => {
    const { featurePolicy } = document as unknown as { featurePolicy: { allowsFeature(name: string): boolean } }
    const names = ['payment', 'publickey-credentials-get', 'camera']
    return Object.fromEntries(names.map((name) => [name, featurePolicy.allowsFeature(name)]))
  })
