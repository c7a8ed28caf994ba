import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'
import type { InitOptions, ServiceCheckoutStatic } from '../../browser-client/types.ts'
import { type ClientLibraryFixture, SESSION_ID } from './client-library-fixture.ts'

// Actions of a merchant's page with the library, and of the payer in the form.

type Call = [name: string, data: Record<string, unknown>]

interface ShopWindow extends Window {
  ServiceCheckout: ServiceCheckoutStatic
  calls: Call[]
}

export const SUCCEEDED = {
  status: 'succeeded',
  session_id: SESSION_ID,
  transaction_id: 't-1',
  receipt_id: 'r-1',
  amount: 39.55,
  currency: 'CAD',
}

export interface Shop {
  page: Page
  /** Errors in the page, including those of the library. */
  complaints: string[]
  init(options?: Record<string, unknown>): Promise<void>
  /** Creates a session and waits for the form; `data` is added to the sale. */
  create(data?: Record<string, unknown>): Promise<Frame>
  /** Returns the error code of the creation; `null` if it succeeds. */
  createError(data?: Record<string, unknown>): Promise<string | null>
  close(): Promise<boolean>
  calls(): Promise<Call[]>
  /** Waits for the callback of this name. */
  called(name: string): Promise<Record<string, unknown>>
  form(): Promise<Frame>
}

export async function openShop(
  browser: Browser,
  fixture: Pick<ClientLibraryFixture, 'origin' | 'shopPage'>,
  url = fixture.shopPage(),
  options: BrowserContextOptions = {},
): Promise<Shop> {
  return openShopIn(await (await browser.newContext(options)).newPage(), fixture, url)
}

/** Opens the shop's page in the given one. */
export async function openShopIn(
  page: Page,
  fixture: Pick<ClientLibraryFixture, 'origin' | 'shopPage'>,
  url = fixture.shopPage(),
): Promise<Shop> {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(url)
  return shopOf(page, fixture, complaints)
}

function shopOf(page: Page, fixture: Pick<ClientLibraryFixture, 'origin'>, complaints: string[]): Shop {
  const shop: Shop = {
    page,
    complaints,
    async init(options = {}) {
      const settings = { businessId: 'b-1', apiBaseUrl: fixture.origin('api'), authToken: 'rc_bt_secret', ...options }
      await page.evaluate((given) => {
        const shopWindow = window as unknown as ShopWindow
        shopWindow.calls = []
        const note = (name: string) => (data: unknown) => {
          shopWindow.calls.push([name, data as Record<string, unknown>])
        }
        const callbacks = {
          onReady: note('ready'),
          onSuccess: note('success'),
          onCancel: note('cancel'),
          onError: note('error'),
        }
        shopWindow.ServiceCheckout.init({ ...callbacks, ...given } as InitOptions)
      }, settings)
    },
    async create(data = {}) {
      await page.evaluate(async (given) => {
        const { ServiceCheckout } = window as unknown as ShopWindow
        const handle = await ServiceCheckout.create({ amount_total: 39.55, customer_email: 'p@example.com', ...given })
        await handle.opened
      }, data)
      return shop.form()
    },
    createError: (data = {}) =>
      page.evaluate(async (given) => {
        const { ServiceCheckout } = window as unknown as ShopWindow
        const sale = { amount_total: 39.55, customer_email: 'p@example.com', ...given }
        return ServiceCheckout.create(sale).then(
          () => null,
          (error) => error.code,
        )
      }, data),
    close: () => page.evaluate(() => (window as unknown as ShopWindow).ServiceCheckout.close()),
    calls: async () => {
      const calls = await page.evaluate(() => (window as unknown as ShopWindow).calls)
      return calls.filter(([name]) => name !== 'ready')
    },
    async called(name) {
      const found = await page.waitForFunction(
        (wanted) => (window as unknown as ShopWindow).calls.find(([called]) => called === wanted)?.[1],
        name,
      )
      return (await found.jsonValue()) as Record<string, unknown>
    },
    async form() {
      const frame = page.frames().find((one) => one.url().includes('/customer/'))
      if (!frame) throw new Error('No form is open.')
      return frame
    },
  }
  return shop
}

/** Lets the form report how the session ended. */
export function say(form: Frame, result: Record<string, unknown>): Promise<void> {
  return form.evaluate(
    (given) => (window as unknown as { link: { result(r: unknown): void } }).link.result(given),
    result,
  )
}

export function enter(form: Frame, phase: string): Promise<void> {
  return form.evaluate((given) => (window as unknown as { link: { state(p: unknown): void } }).link.state(given), phase)
}

/** Lets the form post any message to its parent, without its own module. */
export function post(form: Frame, message: Record<string, unknown>): Promise<void> {
  return form.evaluate((given) => window.parent.postMessage(given, '*'), { v: 1, ...message })
}

/** Waits long enough for a message to arrive and be ignored. */
export async function messagesDelivered(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
}

/** Removes the form and forgets the callbacks, so that the page can show the form of another session. */
export function removeForm(page: Page): Promise<void> {
  return page.evaluate(() => {
    const shopWindow = window as unknown as ShopWindow
    shopWindow.ServiceCheckout.destroy()
    shopWindow.calls = []
  })
}

/** Waits until the form has told the shop's page that a payment is running. */
export const isSubmitting = (page: Page) =>
  page.waitForFunction(() => {
    const { ServiceCheckout } = window as never as { ServiceCheckout: { getState(): { phase: string } } }
    return ServiceCheckout.getState().phase === 'submitting'
  })
