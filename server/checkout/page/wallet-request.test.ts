import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GooglePayOffer } from '../../google-pay/google-pay.ts'
import type { Cents } from '../../lib/money.ts'
import { walletRequest } from './wallet-request.ts'

const OFFER: GooglePayOffer = {
  environment: 'TEST',
  merchantId: '12345678901234567890',
  gateway: null,
  gatewayMerchantId: null,
  allowedCardNetworks: ['AMEX', 'VISA'],
  allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
  publicKey: 'BPoint=',
  recipientId: 'merchant:12345678901234567890',
}
const BUSINESS = { name: 'Northwind Tea', country: 'CA' } as const
const SESSION = { amountTotal: 3955 as Cents, currency: 'CAD', billingAddressCollection: null } as const
const INPUT = { business: BUSINESS, session: SESSION, offer: OFFER, hasEmail: true }

describe('the request that Google’s sheet is opened with', () => {
  test('GPY-9, GPY-11: of a merchant with its own key, in full', () => {
    deepEqual(walletRequest(INPUT), {
      apiVersion: 2,
      apiVersionMinor: 0,
      merchantInfo: { merchantId: '12345678901234567890', merchantName: 'Northwind Tea' },
      allowedPaymentMethods: [
        {
          type: 'CARD',
          parameters: {
            allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
            allowedCardNetworks: ['AMEX', 'VISA'],
            assuranceDetailsRequired: true,
            billingAddressRequired: true,
            billingAddressParameters: { format: 'MIN' },
          },
          tokenizationSpecification: {
            type: 'DIRECT',
            parameters: { protocolVersion: 'ECv2', publicKey: 'BPoint=' },
          },
        },
      ],
      transactionInfo: {
        countryCode: 'CA',
        currencyCode: 'CAD',
        totalPriceStatus: 'FINAL',
        totalPrice: '39.55',
        checkoutOption: 'COMPLETE_IMMEDIATE_PURCHASE',
      },
      emailRequired: false,
    })
  })

  test('GPY-9: where Rialto is the gateway, it names gateway and business, and no key', () => {
    const offer = { ...OFFER, merchantId: null, gateway: 'rialto', gatewayMerchantId: 'b7' }
    const { merchantInfo, allowedPaymentMethods } = walletRequest({ ...INPUT, offer })
    deepEqual(merchantInfo, { merchantName: 'Northwind Tea' })
    deepEqual(allowedPaymentMethods[0]?.tokenizationSpecification, {
      type: 'PAYMENT_GATEWAY',
      parameters: { gateway: 'rialto', gatewayMerchantId: 'b7' },
    })
  })

  test('an amount has two decimals, whatever it is', () => {
    const priceOf = (cents: number) =>
      walletRequest({ ...INPUT, session: { ...SESSION, amountTotal: cents as Cents } }).transactionInfo.totalPrice
    deepEqual([100, 5, 99_999_999].map(priceOf), ['1.00', '0.05', '999999.99'])
  })

  test('what the session lacks, the wallet gives: the e-mail address, and all of the address where all is asked for', () => {
    equal(walletRequest({ ...INPUT, hasEmail: false }).emailRequired, true)
    const session = { ...SESSION, billingAddressCollection: 'required' } as const
    const [method] = walletRequest({ ...INPUT, session }).allowedPaymentMethods
    deepEqual(method?.parameters.billingAddressParameters, { format: 'FULL' })
  })
})
