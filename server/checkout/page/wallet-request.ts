import type { CheckoutFormData } from '../../../contract/checkout-form.ts'
import type { WalletRecipient, WalletRequest } from '../../../contract/wallet-frame.ts'
import type { Business } from '../../businesses/business.ts'
import { decimalFromCents } from '../../lib/money.ts'
import type { Session } from '../sessions/session.ts'

type GooglePay = CheckoutFormData['payment_methods']['google_pay']

interface RequestInput {
  business: Pick<Business, 'country'>
  session: Pick<Session, 'amountTotal' | 'currency' | 'billingAddressCollection'>
  /** The data of the form. */
  method: GooglePay
  /** The point of the business's current key, in base64, where the merchant reads its own tokens; otherwise `null`. */
  publicKey: string | null
  /** Of the session's customer. */
  hasEmail: boolean
}

/**
 * What Google's sheet is opened with. The amount is the session's without a surcharge: how the card is funded is not known
 * before, and a wallet's token never adds one.
 *
 * @see GPY-9, GPY-11
 */
export function walletRequest({ business, session, method, publicKey, hasEmail }: RequestInput): WalletRequest {
  return {
    apiVersion: 2,
    apiVersionMinor: 0,
    merchantInfo: {
      ...(method.merchant_id !== null && { merchantId: method.merchant_id }),
      merchantName: method.merchant_name,
    },
    allowedPaymentMethods: [
      {
        type: 'CARD',
        parameters: {
          allowedAuthMethods: method.allowed_auth_methods,
          allowedCardNetworks: method.allowed_card_networks,
          assuranceDetailsRequired: true,
          billingAddressRequired: true,
          // MIN has the postal code, which the issuer compares.
          billingAddressParameters: { format: needsFullAddress(session) ? 'FULL' : 'MIN' },
        },
        tokenizationSpecification: recipientOf(method, publicKey),
      },
    ],
    transactionInfo: {
      countryCode: business.country,
      currencyCode: session.currency,
      totalPriceStatus: 'FINAL',
      totalPrice: decimalFromCents(session.amountTotal).toFixed(2),
      checkoutOption: 'COMPLETE_IMMEDIATE_PURCHASE',
    },
    emailRequired: !hasEmail,
  }
}

/** The billing address that the session asks for; the form may send it as the shipping address too. */
const needsFullAddress = ({ billingAddressCollection }: RequestInput['session']) =>
  billingAddressCollection === 'required'

function recipientOf({ gateway, gateway_merchant_id }: GooglePay, publicKey: string | null): WalletRecipient {
  if (publicKey !== null) return { type: 'DIRECT', parameters: { protocolVersion: 'ECv2', publicKey } }
  if (gateway === null || gateway_merchant_id === null) throw new Error('Google Pay has neither a key nor a gateway')
  return { type: 'PAYMENT_GATEWAY', parameters: { gateway, gatewayMerchantId: gateway_merchant_id } }
}
