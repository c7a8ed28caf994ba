import { randomUUID } from 'node:crypto'
import type {
  AuthenticationRequest,
  AuthenticationResult,
  ChallengeInquiry,
  ChallengeResult,
  LookupResult,
  ThreeDsServer,
  Verdict,
} from '../../server/three-d-secure/three-ds-server.ts'
import { Secret } from '../../server/vault/secret.ts'

export const CAVV = 'AJkBBkhgQQAAAE4gSEJydQAAAAA='

export const verdict = (transStatus: Verdict['transStatus'], more: Partial<Verdict> = {}): Verdict => ({
  transStatus,
  reason: transStatus === 'Y' || transStatus === 'A' ? null : '11',
  eci: '05',
  value: transStatus === 'Y' || transStatus === 'A' ? new Secret(CAVV) : null,
  dsTransactionId: randomUUID(),
  cardholderInfo: null,
  ...more,
})

export const decided = (transStatus: Verdict['transStatus'], more: Partial<Verdict> = {}): AuthenticationResult => ({
  outcome: 'decided',
  ...verdict(transStatus, more),
})

export const challenge = (): AuthenticationResult => ({
  outcome: 'challenge',
  url: 'https://acs.example/challenge',
  acsTransactionId: randomUUID(),
  dsTransactionId: randomUUID(),
})

/** A 3-D Secure server whose results the test chooses. It records what it was sent. */
export interface FakeThreeDsServer extends ThreeDsServer {
  lookups: number
  requests: AuthenticationRequest[]
  inquiries: number
  onLookup(): Promise<LookupResult> | LookupResult
  onAuthenticate(request: AuthenticationRequest): Promise<AuthenticationResult> | AuthenticationResult
  onInquiry(inquiry: ChallengeInquiry): Promise<ChallengeResult> | ChallengeResult
  /** Resets it to its initial state: every card takes part, and every payer is authenticated at once. */
  reset(): void
}

export const enrolled = (methodUrl: string | null = null): LookupResult => ({
  outcome: 'enrolled',
  serverTransactionId: randomUUID(),
  messageVersion: '2.2.0',
  methodUrl,
})

export function fakeThreeDsServer(): FakeThreeDsServer {
  const defaults = {
    lookups: 0,
    requests: [] as AuthenticationRequest[],
    inquiries: 0,
    onLookup: () => enrolled(),
    onAuthenticate: () => decided('Y'),
    onInquiry: (): ChallengeResult => ({ outcome: 'pending' }),
  }
  const fake: FakeThreeDsServer = {
    ...defaults,
    reset: () => void Object.assign(fake, defaults, { requests: [] }),
    async lookUp() {
      fake.lookups += 1
      return fake.onLookup()
    },
    async authenticate(request) {
      fake.requests.push(request)
      return fake.onAuthenticate(request)
    },
    async challengeResult(inquiry) {
      fake.inquiries += 1
      return fake.onInquiry(inquiry)
    },
    async close() {},
  }
  return fake
}
