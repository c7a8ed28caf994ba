import type { BrowserContext, Frame, Page } from 'playwright-core'

// A test's replacement of Google's script: it records calls, and responds as the test says.

export interface PlayedWallet {
  /** When the script arrives: once `held` has resolved; never with `unreachable`. */
  script?: { held?: Promise<void> } | 'unreachable'
  isReady?: boolean
  /** Result of the sheet: payment data, or the status of an error. */
  sheet?: object | 'CANCELED' | 'DEVELOPER_ERROR'
}

export interface WalletCalls {
  client: object[]
  ready: object[]
  button: Record<string, unknown>[]
  load: object[]
}

const GOOGLE = /^https:\/\/([\w-]+\.)*(google|gstatic|googleapis)\.com\//
const SCRIPT = 'https://pay.google.com/gp/p/js/pay.js'

/** Serves the replacement script to the context. Every other request to Google is blocked. */
export async function playGoogle(context: BrowserContext, played: PlayedWallet = {}): Promise<{ requests: string[] }> {
  const { script = {} } = played
  const requests: string[] = []
  await context.route(GOOGLE, async (route) => {
    const url = route.request().url()
    requests.push(url)
    if (url !== SCRIPT || script === 'unreachable') return route.abort()
    await script.held
    // A page that a test has closed meanwhile does not need the script: nobody would handle the rejection.
    await route.fulfill({ contentType: 'text/javascript', body: scriptOf(played) }).catch(() => {})
  })
  return { requests }
}

/** Returns the frame with the button, once its document is loaded. */
export async function walletFrame(page: Page): Promise<Frame> {
  const element = await page.waitForSelector('#wallet iframe', { state: 'attached' })
  const frame = await element.contentFrame()
  if (!frame) throw new Error('The wallet has no frame')
  await frame.waitForLoadState()
  return frame
}

/** Waits for the row with the button. */
export const walletShown = (page: Page) => page.waitForSelector('#wallet[data-ready]')

export const walletCalls = (frame: Frame): Promise<WalletCalls> =>
  frame.evaluate(() => (window as unknown as { played: WalletCalls }).played)

function scriptOf({ isReady = true, sheet = PAYMENT }: PlayedWallet): string {
  return `window.played = { client: [], ready: [], button: [], load: [] };
window.google = { payments: { api: { PaymentsClient: class {
  constructor(options) { played.client.push(options) }
  async isReadyToPay(request) { played.ready.push(request); return { result: ${isReady} } }
  async loadPaymentData(request) {
    played.load.push(request)
    const sheet = ${JSON.stringify(sheet)}
    if (typeof sheet === 'string') throw { statusCode: sheet }
    return sheet
  }
  createButton({ onClick, ...options }) {
    played.button.push(options)
    const box = document.createElement('div')
    const button = document.createElement('button')
    button.textContent = 'Buy with GPay'
    button.style.cssText = 'inline-size:100%;block-size:100%'
    button.addEventListener('click', onClick)
    box.append(button)
    return box
  }
} } } }`
}

export const PAYMENT = {
  apiVersion: 2,
  apiVersionMinor: 0,
  email: 'ana@example.com',
  paymentMethodData: {
    type: 'CARD',
    description: 'Visa •••• 1234',
    info: {
      cardNetwork: 'VISA',
      cardDetails: '1234',
      billingAddress: { name: 'Ana Roy', postalCode: 'M5V 2T6', countryCode: 'CA', phoneNumber: '' },
    },
    tokenizationData: { type: 'PAYMENT_GATEWAY', token: '{"protocolVersion":"ECv2"}' },
  },
}
