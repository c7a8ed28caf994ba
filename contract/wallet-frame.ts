import type { Address } from './checkout-form.ts'
import type { Locale } from './payment-page.ts'

// The frame of the Google Pay button: a document on a different origin than the payment page, which may load Google's
// script. Its data about the session comes from the server; page and frame exchange only the messages below. Each side
// checks the exact origin and the sender of what it receives, and names the origin that it sends to.

/** Data of the frame's document, embedded as a JSON block. */
export interface WalletFrameData {
  /** `simulated`: staging's wallet, which needs neither Google nor a network. */
  wallet: 'google' | 'simulated'
  environment: 'TEST' | 'PRODUCTION'
  /** The payment page: the only origin that this document talks to. */
  pageOrigin: string
  locale: Locale
  /** Radius of the button's corners in CSS pixels, the same as on the page's own buttons. */
  cornerRadius: number
  /** Request with which Google's sheet is opened; the simulated wallet reads the same one. */
  request: WalletRequest
}

/** `PaymentDataRequest` of Google Pay API 2.0; only the members that are used. */
export interface WalletRequest {
  apiVersion: 2
  apiVersionMinor: 0
  merchantInfo: { merchantId?: string; merchantName: string }
  allowedPaymentMethods: WalletMethod[]
  transactionInfo: {
    countryCode: string
    currencyCode: string
    totalPriceStatus: 'FINAL'
    /** Major units with two decimals: `39.55`. */
    totalPrice: string
    checkoutOption: 'COMPLETE_IMMEDIATE_PURCHASE'
  }
  emailRequired: boolean
}

export interface WalletMethod {
  type: 'CARD'
  parameters: {
    allowedAuthMethods: string[]
    allowedCardNetworks: string[]
    assuranceDetailsRequired: true
    billingAddressRequired: true
    billingAddressParameters: { format: 'MIN' | 'FULL' }
  }
  tokenizationSpecification: WalletRecipient
}

/** Who can read the token: the merchant with its own key, or the gateway that Google knows. */
export type WalletRecipient =
  | { type: 'DIRECT'; parameters: { protocolVersion: 'ECv2'; publicKey: string } }
  | { type: 'PAYMENT_GATEWAY'; parameters: { gateway: string; gatewayMerchantId: string } }

/** The payer's choice in the wallet. */
export interface WalletPayment {
  googlePayToken: string
  /** `Visa •••• 1234`; empty when the wallet does not say. */
  description: string
  /** `null` if no e-mail address was requested. */
  email: string | null
  billing: Address | null
}

export type PageToWallet =
  /** The response to `rc:wallet_loaded`. */
  | { type: 'rc:wallet_start'; scheme: 'light' | 'dark' }
  /** The response to `rc:wallet_press` once the rest of the form is filled in. */
  | { type: 'rc:wallet_open' }

export type WalletToPage =
  | { type: 'rc:wallet_loaded' }
  | { type: 'rc:wallet_ready' }
  | { type: 'rc:wallet_not_ready' }
  /** The payer has pressed the button. Browsers let a sheet open for about a second after that. */
  | { type: 'rc:wallet_press' }
  /** Height of the frame in CSS pixels: the simulated wallet's dialog needs more than its button. */
  | { type: 'rc:wallet_height'; height: number }
  | { type: 'rc:wallet_failed' }
  | ({ type: 'rc:wallet_paid' } & WalletPayment)
