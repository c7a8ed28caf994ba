import type { PageToWallet } from '../../contract/wallet-frame.ts'
import { connectPage, type Wallet, type WalletFrame } from './frame.ts'
import { googleWallet } from './google-wallet.ts'
import { simulatedWallet } from './simulated-wallet.ts'
import { addStyles } from './styles.ts'

// Script of the frame with the Google Pay button (GPY-1, GPY-8, GPY-11).

const connected = connectPage(obey)
const wallet: Wallet = connected.data.wallet === 'simulated' ? simulatedWallet : googleWallet
let frame: WalletFrame | null = null
let isOpen = false

function obey(message: PageToWallet): void {
  if (message.type === 'rc:wallet_start') void start(message.scheme)
  else if (frame) void open(frame)
}

/** Starts the wallet, once, however often the page asks for it. */
async function start(scheme: 'light' | 'dark'): Promise<void> {
  if (frame) return
  frame = { ...connected, scheme }
  document.documentElement.style.colorScheme = scheme
  document.documentElement.dataset.scheme = scheme
  document.documentElement.style.setProperty('--radius', `${connected.data.cornerRadius}px`)
  const isReady = mayPay() && (await wallet.prepare(frame, press).catch(warn)) === true
  connected.send({ type: isReady ? 'rc:wallet_ready' : 'rc:wallet_not_ready' })
}

/** Handles a press: the page checks what else the form needs before the sheet opens. */
function press(): void {
  if (!isOpen) connected.send({ type: 'rc:wallet_press' })
}

/** Opens the sheet. A payer who closes it is back on the form. */
async function open(opened: WalletFrame): Promise<void> {
  if (isOpen) return
  isOpen = true
  try {
    const payment = await wallet.open(opened)
    if (payment) connected.send({ type: 'rc:wallet_paid', ...payment })
  } catch (error) {
    warn(error)
    connected.send({ type: 'rc:wallet_failed' })
  } finally {
    isOpen = false
  }
}

/** Whether the browser allows the sheet: every frame around this one must delegate `payment`. */
function mayPay(): boolean {
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature(name: string): boolean } }
  if (featurePolicy?.allowsFeature('payment') !== false) return true
  warn({ message: 'a page around the payment form does not allow "payment" for its frame' })
  return false
}

/** Warns the engineer who set the business up at Google: a wrong merchant id or domain shows up here. */
function warn(error: unknown): void {
  const { message, statusCode, statusMessage } = (error ?? {}) as Partial<Record<string, string>>
  // biome-ignore lint/suspicious/noConsole: the payer sees no button; only a developer looks for the reason.
  console.warn('Google Pay is not available:', message ?? statusMessage ?? statusCode ?? 'unknown reason')
}

addStyles()
connected.send({ type: 'rc:wallet_loaded' })
