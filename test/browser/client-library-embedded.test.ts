import { deepEqual, equal, ok } from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { stopTime } from '../support/browser-clock.ts'
import { inCase } from '../support/cases.ts'
import { SESSION_ID, TOKEN } from '../support/client-library-fixture.ts'
import {
  enter,
  messagesDelivered,
  openShop,
  openShopIn,
  post,
  removeForm,
  type Shop,
  SUCCEEDED,
  say,
} from '../support/client-library-page.ts'
import { describeClientLibrary } from '../support/describe-in-browser.ts'
import { listen, receivedBy } from '../support/received-messages.ts'
import { until } from '../support/until.ts'

describeClientLibrary('Client library: embedded', ({ browser, page, fixture }) => {
  let shop: Shop

  beforeEach(async () => {
    shop = await openShopIn(page, fixture)
    await shop.init({ containerId: 'checkout' })
  })

  test('create posts the session to the API with the token and opens its form in the container', async () => {
    const form = await shop.create({ success_url: 'https://shop.example/ok' })
    const [request] = fixture.requests
    equal(request?.path, '/api/b-1/checkout/create')
    equal(request?.headers.authorization, 'Bearer rc_bt_secret')
    equal(request?.headers.origin, fixture.origin('shop'))
    deepEqual(request?.body, {
      amount_total: 39.55,
      customer_email: 'p@example.com',
      success_url: 'https://shop.example/ok',
      ui_mode: 'embedded',
    })
    equal(form.url(), `${fixture.origin('pay')}/customer/checkout/${TOKEN}`)
    const frame = shop.page.locator('#checkout > iframe')
    const pay = fixture.origin('pay')
    equal(await frame.getAttribute('title'), 'Secure payment')
    equal(
      await frame.getAttribute('allow'),
      `payment ${pay} ${pay.replace('//', '//gpay.')}; publickey-credentials-get ${pay}`,
    )
    const state = await shop.page.evaluate('ServiceCheckout.getState()')
    deepEqual(state, { isOpen: true, sessionId: SESSION_ID, phase: 'ready' })
  })

  test('CAS-44, CAS-46: success, cancel and error call back once, with their data, however often they are said; declines that leave tries call nobody', async () => {
    for (const [name, result, data] of [
      ['success', SUCCEEDED, (({ status: _, ...rest }) => rest)(SUCCEEDED)],
      ['cancel', { status: 'canceled', session_id: SESSION_ID }, { session_id: SESSION_ID }],
      [
        'error',
        { status: 'failed', session_id: SESSION_ID, message: 'No tries left', error_code: 'max_attempts_reached' },
        { session_id: SESSION_ID, message: 'No tries left', error_code: 'max_attempts_reached' },
      ],
    ] as const)
      await inCase(name, async () => {
        const form = await shop.create()
        for (const phase of ['submitting', 'ready', 'submitting', 'ready']) await enter(form, phase)
        await messagesDelivered(shop.page)
        deepEqual(await shop.calls(), [])
        await post(form, { type: 'rc:checkout_result', ...result })
        await post(form, { type: 'rc:checkout_result', ...result }).catch(() => {})
        await post(form, { type: 'rc:checkout_result', ...SUCCEEDED }).catch(() => {})
        deepEqual(await shop.called(name), data)
        await messagesDelivered(shop.page)
        deepEqual(await shop.calls(), [[name, data]])
        await removeForm(shop.page)
      })
  })

  test('CAS-45, BRW-20: a forged result from the page itself, another frame or another window is ignored, and of another session, or of no known shape, too', async () => {
    const form = await shop.create()
    await post(form, { type: 'rc:checkout_result', ...SUCCEEDED, session_id: 'another' })
    await post(form, { type: 'rc:checkout_result', ...SUCCEEDED, amount: '39.55' })
    await post(form, { type: 'rc:checkout_result', ...SUCCEEDED, v: 2 })
    await messagesDelivered(shop.page)
    deepEqual(await shop.calls(), [])
    const message = { type: 'rc:checkout_result', v: 1, ...SUCCEEDED }
    await shop.page.evaluate(
      async ({ message, pay, evil }) => {
        window.postMessage(message, '*')
        const source = document.querySelector('iframe')?.contentWindow ?? null
        window.dispatchEvent(new MessageEvent('message', { data: message, origin: pay, source }))
        for (const url of [`${pay}/customer/checkout/${'a'.repeat(64)}?silent`, `${evil}/elsewhere`]) {
          const frame = document.createElement('iframe')
          frame.src = url
          await new Promise((resolve) => {
            frame.onload = resolve
            document.body.append(frame)
          })
        }
      },
      { message, pay: fixture.origin('pay'), evil: fixture.origin('evil') },
    )
    const [, other, evil] = shop.page.mainFrame().childFrames()
    ok(other && evil)
    await post(other, message)
    await post(evil, message)
    const opening = shop.page.waitForEvent('popup')
    await shop.page.evaluate((url) => void window.open(url), `${fixture.origin('evil')}/elsewhere`)
    const popup = await opening
    await popup.waitForLoadState()
    await popup.evaluate((forged) => window.opener.postMessage(forged, '*'), message)
    await messagesDelivered(shop.page)
    deepEqual(await shop.calls(), [])
  })

  test('CAS-47: the form speaks to the registered origin only', async () => {
    const other = await openShop(browser, fixture, fixture.shopPage({ name: 'other-shop' }))
    const received = await other.page.evaluate(
      async (url) => {
        const messages: unknown[] = []
        addEventListener('message', ({ data }) => messages.push(data))
        const frame = document.createElement('iframe')
        frame.src = url
        await new Promise((resolve) => {
          frame.onload = resolve
          document.body.append(frame)
        })
        await new Promise((resolve) => setTimeout(resolve, 200))
        return messages
      },
      `${fixture.origin('pay')}/customer/checkout/${TOKEN}`,
    )
    await other.page.context().close()
    deepEqual(received, [])
  })

  test('CAS-48: the frame is as high as the form, within limits, until a height is set', async () => {
    const form = await shop.create()
    const height = () =>
      shop.page.locator('#checkout > iframe').evaluate((frame) => frame.getBoundingClientRect().height)
    const becomes = (wanted: number) =>
      shop.page.waitForFunction((px) => document.querySelector('iframe')?.offsetHeight === px, wanted)
    const grow = (px: number) =>
      form.evaluate((h) => document.querySelector('main')?.setAttribute('style', `height:${h}px`), px)
    await grow(900)
    await becomes(900)
    await grow(9_000)
    await becomes(4_000)
    await grow(10)
    await becomes(200)
    await shop.page.evaluate('ServiceCheckout.setHeight(500)')
    await grow(700)
    await messagesDelivered(shop.page)
    equal(await height(), 500)
    await shop.page.evaluate("ServiceCheckout.setHeight('auto')")
    await becomes(700)
    // In a single call: the limit is per second, and on a busy machine fifty separate calls take longer.
    await form.evaluate(() => {
      for (let height = 300; height < 350; height++)
        window.parent.postMessage({ type: 'rc:checkout_height', v: 1, height }, '*')
    })
    await messagesDelivered(shop.page)
    ok((await height()) < 349, 'A loop of heights is not followed.')
  })

  test('Escape in an embedded form closes nothing', async () => {
    const form = await shop.create()
    await form.focus('#number')
    await shop.page.keyboard.press('Escape')
    await messagesDelivered(shop.page)
    equal(await shop.page.locator('#checkout > iframe').count(), 1)
  })

  test('BRW-28: close cancels once and frees the place at once; destroy calls nobody', async () => {
    await shop.create()
    equal(await shop.close(), true)
    equal(await shop.close(), true)
    deepEqual(await shop.called('cancel'), { session_id: SESSION_ID })
    await shop.create()
    await shop.page.evaluate('ServiceCheckout.destroy()')
    await messagesDelivered(shop.page)
    equal(await shop.page.locator('iframe').count(), 0)
    deepEqual(await shop.calls(), [['cancel', { session_id: SESSION_ID }]])
  })

  test('a payment that begins while the shop closes is told as what it became', async () => {
    const form = await shop.create()
    await form.evaluate('window.respondsToClose = false')
    await stopTime(shop.page)
    await listen(shop.page)
    equal(await shop.close(), true)
    await enter(form, 'submitting')
    await until('it is told', async () => (await receivedBy(shop.page)).some((told) => told.phase === 'submitting'))
    await shop.page.clock.runFor(700)
    deepEqual(await shop.calls(), [])
    await say(form, SUCCEEDED)
    equal((await shop.called('success')).transaction_id, 't-1')
    equal(await shop.page.locator('iframe').count(), 0)
  })

  test('CAS-55: two creates are one session; a StrictMode mount, unmount, mount too; another one is refused', async () => {
    const codes = await shop.page.evaluate(async () => {
      const { ServiceCheckout } = window as never as {
        ServiceCheckout: Record<string, (data?: object) => Promise<unknown>>
      }
      const sale = { amount_total: 5, customer_email: 'p@example.com' }
      const code = (work: Promise<unknown> | undefined) => work?.then(() => 'shown').catch((error) => error.code)
      const first = code(ServiceCheckout.create?.(sale))
      ServiceCheckout.destroy?.()
      const rest = [sale, { ...sale }, { ...sale, amount_total: 6 }].map((data) => code(ServiceCheckout.create?.(data)))
      const ended = await Promise.all([first, ...rest])
      return [...ended, await code(ServiceCheckout.create?.(sale))]
    })
    deepEqual(codes, ['destroyed', 'shown', 'shown', 'already_open', 'already_open'])
    equal(fixture.requests.length, 1)
    equal(await shop.page.locator('iframe').count(), 1)
  })

  test('CAS-62: a callback that throws is reported, and the library goes on', async () => {
    await shop.page.evaluate('ServiceCheckout.destroy()')
    await shop.page.evaluate((apiBaseUrl) => {
      const { ServiceCheckout } = window as never as { ServiceCheckout: { init(o: object): void } }
      const onSuccess = () => {
        throw new Error('of the merchant')
      }
      ServiceCheckout.init({ businessId: 'b-1', apiBaseUrl, authToken: 'rc_bt_1', containerId: 'checkout', onSuccess })
    }, fixture.origin('api'))
    const form = await shop.create()
    const thrown = shop.page.waitForEvent('pageerror')
    await say(form, SUCCEEDED)
    equal((await thrown).message, 'of the merchant')
    await shop.create()
  })

  test('CAS-68: the token is not in the page, its storage, its window or the frame', async () => {
    const form = await shop.create()
    const places = await shop.page.evaluate(() => {
      const own = Object.entries(window).map(([name, value]) => `${name} ${typeof value === 'string' ? value : ''}`)
      const { ServiceCheckout } = window as never as { ServiceCheckout: object }
      return [
        document.documentElement.outerHTML,
        ...own,
        JSON.stringify({ ...localStorage, ...sessionStorage }),
        JSON.stringify(ServiceCheckout),
      ].join()
    })
    equal(places.includes('rc_bt_secret') || form.url().includes('rc_bt_secret'), false)
  })

  test('two shops at once, each in its page, know nothing of each other', async () => {
    const other = await openShop(browser, fixture)
    await other.init({ containerId: 'checkout' })
    const [one, two] = await Promise.all([shop.create(), other.create()])
    await say(one, SUCCEEDED)
    await say(two, { status: 'canceled', session_id: SESSION_ID })
    await Promise.all([shop.called('success'), other.called('cancel')])
    equal((await shop.calls()).length, 1)
    equal((await other.calls()).length, 1)
    await other.page.context().close()
  })
})
