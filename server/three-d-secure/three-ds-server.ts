import type { Currency } from '../lib/money.ts'
import type { Secret } from '../vault/secret.ts'

/**
 * Port that every adapter to a 3-D Secure server implements (`adapters/`). No method throws because of a refusal or a
 * missing response: each is a result that the caller has to handle. No method retries.
 *
 * @see TDS-18
 */
export interface ThreeDsServer {
  /** Asks whether the card takes part, and for the issuer's method URL. */
  lookUp(request: CardLookup): Promise<LookupResult>
  /** Sends the authentication request (AReq) to the directory server. */
  authenticate(request: AuthenticationRequest): Promise<AuthenticationResult>
  /** Returns the result of a challenge as the issuer sent it to the 3-D Secure server (RReq), never the browser's. */
  challengeResult(request: ChallengeInquiry): Promise<ChallengeResult>
  close(): Promise<void>
}

/** Supported versions, newest last. */
export const MESSAGE_VERSIONS = ['2.1.0', '2.2.0', '2.3.1'] as const
export type MessageVersion = (typeof MESSAGE_VERSIONS)[number]

export interface CardLookup {
  number: Secret
  signal: AbortSignal
}

export type LookupResult =
  | {
      outcome: 'enrolled'
      /** `threeDSServerTransID` */
      serverTransactionId: string
      /** Highest version that all sides support (TDS-21). */
      messageVersion: MessageVersion
      /** URL at which the issuer inspects the browser before the request; `null` if it does not. */
      methodUrl: string | null
    }
  /** The card does not take part, or does so only in version 1. */
  | { outcome: 'not_supported' }
  | ThreeDsServerFailure

/** Failure of the server, the directory server or the issuer: `component` S, D or A. */
export interface ThreeDsServerFailure {
  outcome: 'failed'
  /** Error code of the protocol (203, 402, 403, 404, 405, …); `null` if the server gave none. */
  errorCode: string | null
  component: 'S' | 'D' | 'A' | null
  /** Message for the log. */
  message: string
  /** Set if no payer can be authenticated until an operator has fixed something; `message` says what. */
  isMisconfigured?: true
}

/** Why the cardholder is authenticated. */
export type AuthenticationReason = 'payment' | 'recurring' | 'installment' | 'add_card'

/** What the payer's browser says about itself, and what the server observed. */
export interface BrowserData {
  acceptHeader: string
  /** Header `Accept-Language`; `null` if the request has none. */
  acceptLanguage: string | null
  ip: string
  javaScriptEnabled: boolean
  javaEnabled: boolean | null
  language: string
  /** Bits per pixel; one of 1, 4, 8, 15, 16, 24, 32, 48. */
  colorDepth: string | null
  screenHeight: string | null
  screenWidth: string | null
  /** Minutes between UTC and the local time. */
  timeZoneOffset: string | null
  userAgent: string
  challengeWindow: ChallengeWindow
}

/** 01 250×400, 02 390×400, 03 500×600, 04 600×400, 05 full screen. */
export const CHALLENGE_WINDOWS = ['01', '02', '03', '04', '05'] as const
export type ChallengeWindow = (typeof CHALLENGE_WINDOWS)[number]

export interface PostalPlace {
  line1?: string | undefined
  line2?: string | undefined
  city?: string | undefined
  /** Code of two or three letters. */
  state?: string | undefined
  postalCode?: string | undefined
  /** Code of two letters. */
  country?: string | undefined
}

/** History of the customer; times are in the business's time. */
export interface CustomerAccount {
  /** Time at which ages are computed. */
  asOf: Date
  createdAt: Date
  /** Time at which the used card was stored; `null` for a typed card. */
  cardStoredAt: Date | null
  /** Number of purchases in six months. */
  purchases: number
  /** Number of transactions in a day and in a year, including declined ones with a stored card. */
  dayCount: number
  yearCount: number
}

/** All data of an AReq, in our terms. */
export interface AuthenticationRequest {
  serverTransactionId: string
  messageVersion: MessageVersion
  reason: AuthenticationReason
  /** Whether the issuer's method has notified us: `Y`, `N`, or `U` without a method. */
  methodCompleted: 'Y' | 'N' | 'U'
  card: { number: Secret; expMonth: number; expYear: number; name: string | null }
  /** Cents; if a card is only added, the amount of each later payment. */
  amount: number
  currency: Currency
  /** Time of the purchase, in real time. */
  purchasedAt: Date
  /**
   * For `recurring` and `installment`: days between two payments, and the days of the next payment, if any, and of the
   * last one.
   */
  recurring: { frequencyDays: number; next: string | null; until: string; count: number | null } | null
  merchant: {
    name: string
    url: string
    country: 'US' | 'CA'
    acquirerBin: string | null
    acquirerMerchantId: string | null
    categoryCode: string | null
  }
  browser: BrowserData
  contact: { email: string | null; phone: { countryCode: string; subscriber: string } | null }
  /** What the merchant knows about the customer; `null` for a guest. */
  account: CustomerAccount | null
  billing: PostalPlace | null
  shipping: PostalPlace | null
  /** URL to which the issuer's page posts the browser after a challenge. */
  notificationUrl: string
  signal: AbortSignal
}

/** Result in the protocol's terms; C, D and a missing result are handled separately. */
export type TransStatus = 'Y' | 'A' | 'N' | 'U' | 'R' | 'I'

export interface Verdict {
  transStatus: TransStatus
  /** Reason code, 01 to 26 and 80 to 99. */
  reason: string | null
  /** ECI as the network writes it: 05, 06, 02, 01, … */
  eci: string | null
  /** Authentication value (CAVV) in base64; only with Y and A. */
  value: Secret | null
  dsTransactionId: string | null
  /** Issuer's text for the payer, at most 128 characters. */
  cardholderInfo: string | null
}

export type AuthenticationResult =
  | ({ outcome: 'decided' } & Verdict)
  | { outcome: 'challenge'; url: string; acsTransactionId: string; dsTransactionId: string | null }
  | ThreeDsServerFailure

/** Identifies the challenge that the result must belong to. */
export interface ChallengeInquiry extends Pick<AuthenticationRequest, 'reason'> {
  serverTransactionId: string
  acsTransactionId: string | null
  messageVersion: MessageVersion
  signal: AbortSignal
}

export type ChallengeResult =
  | ({ outcome: 'decided' } & Verdict)
  /** The issuer has not sent the result yet. */
  | { outcome: 'pending' }
  | ThreeDsServerFailure
