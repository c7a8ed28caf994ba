import type { AuthenticationRequest } from '../../server/three-d-secure/three-ds-server.ts'
import { Secret } from '../../server/vault/secret.ts'

export const NUMBER = '4000002020720007'

export type Change = Partial<Omit<AuthenticationRequest, 'browser' | 'card' | 'merchant'>> & {
  browser?: Partial<AuthenticationRequest['browser']>
  card?: Partial<AuthenticationRequest['card']>
  merchant?: Partial<AuthenticationRequest['merchant']>
}

/** Returns a request for a payment with all data, with the given changes. */
export function request({ browser, card, merchant, ...change }: Change = {}): AuthenticationRequest {
  return {
    serverTransactionId: '3f1ed47a-2edc-4b0e-a4cf-bdb0f65d48c6',
    messageVersion: '2.2.0',
    reason: 'payment',
    methodCompleted: 'Y',
    card: { number: new Secret(NUMBER), expMonth: 3, expYear: 2031, name: 'Zoé Müller', ...card },
    amount: 3955,
    currency: 'CAD',
    purchasedAt: new Date('2026-11-22T03:04:05.678Z'),
    recurring: null,
    merchant: {
      name: 'Café Łódź',
      url: 'https://shop.example.com',
      country: 'CA',
      acquirerBin: '438309',
      acquirerMerchantId: '00002000000',
      categoryCode: '5411',
      ...merchant,
    },
    browser: {
      acceptHeader: 'text/html,*/*;q=0.8',
      acceptLanguage: 'fr-CA,fr;q=0.9,en;q=0.5,*;q=0.1',
      ip: '192.0.2.7',
      javaScriptEnabled: true,
      javaEnabled: false,
      language: 'fr-CA',
      colorDepth: '24',
      screenHeight: '844',
      screenWidth: '390',
      timeZoneOffset: '300',
      userAgent: 'Mozilla/5.0',
      challengeWindow: '01',
      ...browser,
    },
    contact: { email: 'zoe@example.com', phone: { countryCode: '1', subscriber: '5145550123' } },
    billing: { line1: '1 rue de l’Église', city: 'Montréal', state: 'QC', postalCode: 'H2X 1Y4', country: 'CA' },
    account: null,
    shipping: null,
    notificationUrl: 'https://form.example.com/customer/ddd/done/ddd_1',
    signal: AbortSignal.timeout(1_000),
    ...change,
  }
}
