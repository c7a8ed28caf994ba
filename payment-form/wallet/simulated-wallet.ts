import type { Address } from '../../contract/checkout-form.ts'
import { formatLocale, formatMoney } from '../../contract/money-text.ts'
import type { WalletPayment, WalletRequest } from '../../contract/wallet-frame.ts'
import type { Wallet, WalletFrame } from './frame.ts'
import { TEXTS } from './simulated-texts.ts'

const NETWORKS = { VISA: 'Visa', MASTERCARD: 'Mastercard', AMEX: 'American Express' }
const AUTH_METHODS = ['PAN_ONLY', 'CRYPTOGRAM_3DS'] as const
const TOKEN_TIMEOUT_MS = 10_000
/** Margin above and below the dialog. */
const MARGIN_PX = 4

interface Payload {
  card_network: keyof typeof NETWORKS
  auth_method: (typeof AUTH_METHODS)[number]
}

/** Staging's wallet: the service signs instead of Google (GPY-8). */
export const simulatedWallet: Wallet = {
  async prepare({ data, root }, onPress) {
    const button = buttonOf(TEXTS[data.locale].button, 'wallet-button')
    button.addEventListener('click', onPress)
    root.replaceChildren(button)
    return true
  },
  open: (frame) => new Promise((resolve) => showDialog(frame, resolve)),
}

function showDialog(frame: WalletFrame, resolve: (payment: WalletPayment | null) => void): void {
  const dialog = document.createElement('dialog')
  const status = element('p', '')
  status.role = 'status'
  const close = (payment: WalletPayment | null) => {
    dialog.remove()
    frame.send({ type: 'rc:wallet_height', height: 0 })
    frame.root.querySelector('button')?.focus()
    resolve(payment)
  }
  const choose = async (button: HTMLButtonElement, payload: Payload) => {
    if (button.ariaDisabled) return
    button.ariaDisabled = 'true'
    const payment = await paymentWith(frame, payload)
    button.ariaDisabled = null
    if (payment) close(payment)
    else status.textContent = TEXTS[frame.data.locale].failed
  }
  dialog.append(...contentOf(frame, choose), status, cancelButton(frame, close))
  dialog.setAttribute('aria-labelledby', 'wallet-title')
  dialog.addEventListener('cancel', () => close(null))
  document.body.append(dialog)
  dialog.showModal()
  frame.send({ type: 'rc:wallet_height', height: dialog.offsetHeight + 2 * MARGIN_PX })
}

function contentOf(
  { data }: WalletFrame,
  choose: (button: HTMLButtonElement, payload: Payload) => Promise<void>,
): HTMLElement[] {
  const text = TEXTS[data.locale]
  const title = element('h2', text.button)
  title.id = 'wallet-title'
  const amount = element('p', amountText(data.locale, data.request))
  amount.className = 'amount'
  const list = document.createElement('ul')
  for (const payload of payloadsOf(data.request)) {
    const button = buttonOf(NETWORKS[payload.card_network], '')
    button.append(element('small', text[payload.auth_method]))
    button.addEventListener('click', () => void choose(button, payload))
    const item = document.createElement('li')
    item.append(button)
    list.append(item)
  }
  return [title, amount, element('p', text.note), list]
}

function cancelButton({ data }: WalletFrame, close: (payment: null) => void): HTMLButtonElement {
  const button = buttonOf(TEXTS[data.locale].cancel, 'cancel')
  button.addEventListener('click', () => close(null))
  return button
}

/** Returns the payloads that the request allows, as Google's sheet does. */
function payloadsOf({ allowedPaymentMethods }: WalletRequest): Payload[] {
  const { allowedAuthMethods = [], allowedCardNetworks = [] } = allowedPaymentMethods[0]?.parameters ?? {}
  return (Object.keys(NETWORKS) as Payload['card_network'][])
    .filter((network) => allowedCardNetworks.includes(network))
    .flatMap((card_network) =>
      AUTH_METHODS.filter((method) => allowedAuthMethods.includes(method)).map((auth_method) => ({
        card_network,
        auth_method,
      })),
    )
}

function amountText(locale: WalletFrame['data']['locale'], { merchantInfo, transactionInfo }: WalletRequest): string {
  const { countryCode, currencyCode: currency, totalPrice } = transactionInfo
  const formats = formatLocale(locale, countryCode === 'CA' ? 'CA' : 'US')
  return `${merchantInfo.merchantName} · ${formatMoney(Number(totalPrice), currency, formats)}`
}

/** Returns the payment; `null` if the service returns no token. */
async function paymentWith({ data }: WalletFrame, payload: Payload): Promise<WalletPayment | null> {
  const frame = new URLSearchParams(location.search).get('frame')
  try {
    const response = await fetch('/google-pay/simulated-token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ frame, ...payload }),
      credentials: 'omit',
      signal: AbortSignal.timeout(TOKEN_TIMEOUT_MS),
    })
    if (!response.ok) return null
    const { google_pay_token: googlePayToken, description } = await response.json()
    const email = data.request.emailRequired ? 'simulated.payer@example.com' : null
    return { googlePayToken, description, email, billing: addressOf(data.request) }
  } catch {
    return null
  }
}

const ADDRESSES: Record<string, Address> = {
  US: { line1: '350 5th Avenue', city: 'New York', state: 'NY', postal_code: '10118', country: 'US' },
  CA: { line1: '301 Front Street West', city: 'Toronto', state: 'ON', postal_code: 'M5V 2T6', country: 'CA' },
}

function addressOf({ allowedPaymentMethods, transactionInfo }: WalletRequest): Address {
  const name = 'Simulated Payer'
  const { line1, city, state, ...short } = ADDRESSES[transactionInfo.countryCode] ?? {}
  const isFull = allowedPaymentMethods[0]?.parameters.billingAddressParameters.format === 'FULL'
  return { name, ...short, ...(isFull && ({ line1, city, state } as Address)) }
}

function buttonOf(text: string, className: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.className = className
  return button
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
