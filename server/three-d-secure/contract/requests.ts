import { Secret } from '../../vault/secret.ts'
import type { AuthenticationRequest, CardLookup } from '../three-ds-server.ts'

// Requests of the contract tests: a payment of 39.55 CAD with a browser that runs scripts.

export const ORDINARY_CARD = '4242424242424242'

export const deadline = () => AbortSignal.timeout(10_000)

export function cardLookup(number = ORDINARY_CARD): CardLookup {
  return { number: new Secret(number), signal: deadline() }
}

export function authenticationRequest(
  change: Partial<AuthenticationRequest> & Pick<AuthenticationRequest, 'serverTransactionId'>,
  number = ORDINARY_CARD,
): AuthenticationRequest {
  return {
    messageVersion: '2.2.0',
    reason: 'payment',
    methodCompleted: 'U',
    card: { number: new Secret(number), expMonth: 3, expYear: 2091, name: 'Zoé Müller' },
    amount: 3955,
    currency: 'CAD',
    purchasedAt: new Date(),
    recurring: null,
    merchant: {
      name: 'Café Łódź',
      url: 'https://shop.example.com',
      country: 'CA',
      acquirerBin: '438309',
      acquirerMerchantId: '00002000000',
      categoryCode: '5411',
    },
    browser: {
      acceptHeader: '*/*',
      acceptLanguage: 'fr-CA,fr;q=0.9,en;q=0.5',
      ip: '192.0.2.7',
      javaScriptEnabled: true,
      javaEnabled: false,
      language: 'fr-CA',
      colorDepth: '30',
      screenHeight: '844',
      screenWidth: '390',
      timeZoneOffset: '300',
      userAgent: 'Mozilla/5.0',
      challengeWindow: '01',
    },
    account: null,
    contact: { email: 'zoe@example.com', phone: null },
    billing: { line1: '1 rue de l’Église', city: 'Montréal', state: 'QC', postalCode: 'H2X 1Y4', country: 'CA' },
    shipping: null,
    notificationUrl: 'https://form.example.com/customer/ddd/done/ddd_1',
    signal: deadline(),
    ...change,
  }
}
