import type { PageToWallet, WalletFrameData, WalletPayment, WalletToPage } from '../../contract/wallet-frame.ts'

/** The button's document, as its scripts see it. */
export interface WalletFrame {
  data: WalletFrameData
  root: HTMLElement
  /** Scheme of the payment page: the button is black on light and white on dark. */
  scheme: 'light' | 'dark'
  send(message: WalletToPage): void
}

/** One of the two wallets: Google's, or staging's simulated one. */
export interface Wallet {
  /** Shows the enabled button; returns `false` if this payer cannot pay with it. */
  prepare(frame: WalletFrame, onPress: () => void): Promise<boolean>
  /**
   * Opens the sheet.
   *
   * @returns `null` if the payer closes the sheet
   */
  open(frame: WalletFrame): Promise<WalletPayment | null>
}

/** Connects to the payment page; ignores every other origin and window. */
export function connectPage(onMessage: (message: PageToWallet) => void): Omit<WalletFrame, 'scheme'> {
  const data = JSON.parse(document.getElementById('wallet-data')?.textContent ?? '') as WalletFrameData
  window.addEventListener('message', ({ origin, source, data: message }) => {
    if (origin !== data.pageOrigin || source !== window.parent || window.parent === window) return
    if (isFromPage(message)) onMessage(message)
  })
  const root = document.getElementById('wallet') as HTMLElement
  return { data, root, send: (message) => window.parent.postMessage(message, data.pageOrigin) }
}

function isFromPage(message: unknown): message is PageToWallet {
  const { type, scheme } = (message ?? {}) as Partial<Record<string, unknown>>
  return type === 'rc:wallet_open' || (type === 'rc:wallet_start' && (scheme === 'light' || scheme === 'dark'))
}
