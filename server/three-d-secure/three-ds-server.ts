import type { Currency } from '../lib/money.ts'
import type { Secret } from '../vault/secret.ts'

/**
 * The port that every adapter to a 3-D Secure server implements (`adapters/`). No method throws for a refusal or a
 * missing response: each is a result that the caller has to handle. No method retries.
 *
 * @see TDS-18
 */
export interface ThreeDsServer {
  /** Asks whether the card takes part, and for the issuer's method URL. */
  lookUp(request: CardLookup): Promise<LookupResult>
  /** Sends the authentication request (AReq) to the directory server. */
  authenticate(request: AuthenticationRequest): Promise<AuthenticationResult>
  /** The result of a challenge, as the issuer sent it to the 3-D Secure server (RReq). Never the browser's. */
  challengeResult(request: ChallengeInquiry): Promise<ChallengeResult>
  close(): Promise<void>
}

/** Newest last. */
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
      /** The highest that all sides support (TDS-21). */
      messageVersion: MessageVersion
      /** Where the issuer looks at the browser before the request; `null` when it does not. */
      methodUrl: string | null
    }
  /** The card does not take part, or only in version 1. */
  | { outcome: 'not_supported' }
  | ThreeDsServerFailure

/** The server, the directory server or the issuer failed: `component` S, D or A. */
export interface ThreeDsServerFailure {
  outcome: 'failed'
  /** Of the protocol (203, 402, 403, 404, 405, …); `null` where the server gave none. */
  errorCode: string | null
  component: 'S' | 'D' | 'A' | null
  /** For the log. */
  message: string
  /** No payer can be authenticated until an operator has set something right; `message` says what. */
  isMisconfigured?: true
}

/** Why the cardholder is asked. */
export type AuthenticationReason = 'payment' | 'recurring' | 'installment' | 'add_card'

/** What the payer's browser says of itself, and what the server saw of it. */
export interface BrowserData {
  acceptHeader: string
  /** The header `Accept-Language`; `null` when the request has none. */
  acceptLanguage: string | null
  ip: string
  javaScriptEnabled: boolean
  javaEnabled: boolean | null
  language: string
  /** Bits; one of 1, 4, 8, 15, 16, 24, 32, 48. */
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
  /** Two or three letters. */
  state?: string | undefined
  postalCode?: string | undefined
  /** Two letters. */
  country?: string | undefined
}

/** Times are the business's. */
export interface CustomerAccount {
  /** Ages are reckoned until then. */
  asOf: Date
  createdAt: Date
  /** Of the stored card that is used; `null` for a typed one. */
  cardStoredAt: Date | null
  /** In six months. */
  purchases: number
  /** Also declined ones with a stored card: in a day, and in a year. */
  dayCount: number
  yearCount: number
}

/** Everything of an AReq, in our terms. */
export interface AuthenticationRequest {
  serverTransactionId: string
  messageVersion: MessageVersion
  reason: AuthenticationReason
  /** Whether the issuer's method has notified us: `Y`, `N`, or `U` without a method. */
  methodCompleted: 'Y' | 'N' | 'U'
  card: { number: Secret; expMonth: number; expYear: number; name: string | null }
  /** Cents; of a card that is only added, the amount of each later payment. */
  amount: number
  currency: Currency
  /** Real time. */
  purchasedAt: Date
  /**
   * For `recurring` and `installment`: days between two payments, and the days of the next one, if any, and of the last
   * one.
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
  /** What the merchant knows of the customer; `null` for a guest. */
  account: CustomerAccount | null
  billing: PostalPlace | null
  shipping: PostalPlace | null
  /** Where the issuer's page posts the browser after a challenge. */
  notificationUrl: string
  signal: AbortSignal
}

/** The protocol's word for a result; C, D and what came of neither are handled apart. */
export type TransStatus = 'Y' | 'A' | 'N' | 'U' | 'R' | 'I'

export interface Verdict {
  transStatus: TransStatus
  /** 01 to 26 and 80 to 99. */
  reason: string | null
  /** As the network writes it: 05, 06, 02, 01, … */
  eci: string | null
  /** The authentication value (CAVV), base64. Only with Y and A. */
  value: Secret | null
  dsTransactionId: string | null
  /** The issuer's text for the payer, at most 128 characters. */
  cardholderInfo: string | null
}

export type AuthenticationResult =
  | ({ outcome: 'decided' } & Verdict)
  | { outcome: 'challenge'; url: string; acsTransactionId: string; dsTransactionId: string | null }
  | ThreeDsServerFailure

/** The result has to be of these. */
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
