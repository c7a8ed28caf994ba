import type { Address } from '../../contract/checkout-form.ts'
import type { WalletPayment, WalletRequest } from '../../contract/wallet-frame.ts'
import type { Wallet, WalletFrame } from './frame.ts'

/**
 * Google's script. It does not have a stable hash: therefore it is loaded only here, in a frame on a different origin
 * than the page with the card (GPY-1).
 */
const SCRIPT = 'https://pay.google.com/gp/p/js/pay.js'
/** Time after which the script is not waited for: the payer has begun with the card by then. */
const LOAD_TIMEOUT_MS = 10_000

interface PaymentsClient {
  isReadyToPay(request: object): Promise<{ result: boolean }>
  loadPaymentData(request: WalletRequest): Promise<PaymentData>
  createButton(options: object): HTMLElement
}

interface PaymentData {
  email?: string
  paymentMethodData: {
    description?: string
    info?: { billingAddress?: GoogleAddress }
    tokenizationData: { token: string }
  }
}

type GoogleAddress = Partial<
  Record<'name' | 'address1' | 'address2' | 'address3' | 'locality' | 'administrativeArea' | 'postalCode', string>
> & { countryCode?: string }

declare global {
  interface Window {
    google?: { payments: { api: { PaymentsClient: new (options: { environment: string }) => PaymentsClient } } }
  }
}

let client: PaymentsClient | null = null

/** Google's own button and sheet. */
export const googleWallet: Wallet = {
  async prepare({ data, root, scheme }, onPress) {
    await loadScript()
    if (!window.google) return false
    client = new window.google.payments.api.PaymentsClient({ environment: data.environment })
    const { result } = await client.isReadyToPay(readinessRequest(data.request))
    if (!result) return false
    const buttonLocale = data.locale.slice(0, 2)
    const buttonColor = scheme === 'dark' ? 'white' : 'black'
    const { allowedPaymentMethods } = data.request
    const look = {
      buttonType: 'buy',
      buttonSizeMode: 'fill',
      buttonRadius: data.cornerRadius,
      buttonColor,
      buttonLocale,
    }
    root.replaceChildren(client.createButton({ onClick: onPress, allowedPaymentMethods, ...look }))
    return true
  },
  open: openSheet,
}

async function openSheet({ data }: WalletFrame): Promise<WalletPayment | null> {
  try {
    return client && paymentFrom(await client.loadPaymentData(data.request))
  } catch (error) {
    if ((error as { statusCode?: string }).statusCode === 'CANCELED') return null
    throw error
  }
}

/** Returns the request without members that only the sheet needs. */
function readinessRequest({ apiVersion, apiVersionMinor, allowedPaymentMethods }: WalletRequest): object {
  return {
    apiVersion,
    apiVersionMinor,
    allowedPaymentMethods: allowedPaymentMethods.map(({ type, parameters }) => ({ type, parameters })),
  }
}

function paymentFrom({ email, paymentMethodData }: PaymentData): WalletPayment {
  const { description = '', info, tokenizationData } = paymentMethodData
  return {
    googlePayToken: tokenizationData.token,
    description,
    email: email ?? null,
    billing: info?.billingAddress ? addressFrom(info.billingAddress) : null,
  }
}

function addressFrom({
  name,
  locality,
  administrativeArea,
  postalCode,
  countryCode,
  ...lines
}: GoogleAddress): Address {
  const parts: Address = {
    name,
    line1: lines.address1,
    line2: [lines.address2, lines.address3].filter(Boolean).join(', '),
    city: locality,
    state: administrativeArea,
    postal_code: postalCode,
    country: countryCode,
  } as Address
  return Object.fromEntries(Object.entries(parts).filter(([, text]) => text))
}

function loadScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = SCRIPT
    script.async = true
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error('The script of Google Pay could not be loaded')))
    setTimeout(() => reject(new Error('The script of Google Pay did not load in time')), LOAD_TIMEOUT_MS)
    document.head.append(script)
  })
}
