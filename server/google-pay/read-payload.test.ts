import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CARD, invalid, payloadOf, refused, rules, signed } from '../../test/support/google-pay-tokens.ts'
import { openToken } from './open-token.ts'

describe('the payload of a Google Pay token', () => {
  test('is a card with a message id (GPY-6)', () => {
    const wrong: [object, string][] = [
      [payloadOf({}, { messageId: undefined }), 'payload'],
      [payloadOf({}, { messageId: '' }), 'payload'],
      [payloadOf({}, { messageId: 5 }), 'payload'],
      [payloadOf({}, { paymentMethod: 'TOKENIZED_CARD' }), 'payment method'],
      [payloadOf({}, { paymentMethod: undefined }), 'payment method'],
      [payloadOf({}, { paymentMethodDetails: null }), 'payload'],
      [payloadOf({}, { paymentMethodDetails: [CARD] }), 'payload'],
      [payloadOf({ pan: 4_111_111_111_111_111 }), 'card number'],
      [payloadOf({ pan: '4111111111111112' }), 'card number'],
      [payloadOf({ pan: '4111 1111 1111 1111' }), 'card number'],
      [payloadOf({ pan: '41111111111' }), 'card number'],
      [payloadOf({ pan: '41111111111111111111' }), 'card number'],
      // UnionPay, for which a typed number needs no Luhn digit.
      [payloadOf({ pan: '6200000000000000' }), 'card number'],
      // No known network, but a correct check digit.
      [payloadOf({ pan: '9999999999999995' }), 'card number'],
      [payloadOf({ pan: undefined }), 'card number'],
      [payloadOf({ expirationMonth: 13 }), 'card expiry'],
      [payloadOf({ expirationMonth: 0 }), 'card expiry'],
      [payloadOf({ expirationMonth: '12' }), 'card expiry'],
      [payloadOf({ expirationYear: 31 }), 'card expiry'],
      [payloadOf({ expirationYear: undefined }), 'card expiry'],
      [payloadOf({ authMethod: undefined }), 'authentication method'],
      [payloadOf({ authMethod: 'pan_only' }), 'authentication method'],
      [payloadOf({ authMethod: 'CRYPTOGRAM_3DS' }), 'authentication method'],
      [payloadOf({ authMethod: 'CRYPTOGRAM_3DS', cryptogram: '' }), 'authentication method'],
      [payloadOf({ authMethod: 'CRYPTOGRAM_3DS', cryptogram: 'not base64 at all!' }), 'authentication method'],
      [
        payloadOf({ authMethod: 'CRYPTOGRAM_3DS', cryptogram: 'A'.repeat(28), eciIndicator: 5 }),
        'authentication method',
      ],
      [
        payloadOf({ authMethod: 'CRYPTOGRAM_3DS', cryptogram: 'A'.repeat(28), eciIndicator: 'x' }),
        'authentication method',
      ],
    ]
    for (const [content, step] of wrong) throws(() => openToken(signed(content), rules), invalid(step))
    for (const text of ['', 'plaintext', '[]', 'null', '{"messageId":"a","messageId":"b"}']) {
      throws(() => openToken(signed(null, { text }), rules), invalid())
    }
  })

  test('is for this business where Rialto is the gateway (GPY-9)', () => {
    const gateway = { ...rules, gatewayMerchantId: 'business-one' }
    ok(openToken(signed(payloadOf({}, { gatewayMerchantId: 'business-one' })), gateway))
    for (const gatewayMerchantId of ['business-two', undefined, null, 1]) {
      throws(() => openToken(signed(payloadOf({}, { gatewayMerchantId })), gateway), invalid('gateway merchant'))
    }
  })

  test("has a card that is valid in the business's time (GPY-6)", () => {
    const token = signed(payloadOf({ expirationMonth: 11, expirationYear: 2026 }))
    ok(openToken(token, rules))
    throws(() => openToken(token, { ...rules, businessTime: new Date('2026-12-02') }), refused('card_expired'))
  })

  test('of a Google account is refused where only cryptograms are accepted (GPY-6)', () => {
    const only = { ...rules, cryptogramOnly: true }
    throws(() => openToken(signed(payloadOf()), only), invalid('authentication method'))
    const device = { authMethod: 'CRYPTOGRAM_3DS', cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=', eciIndicator: '' }
    const card = openToken(signed(payloadOf(device)), only)
    deepEqual([card.wallet?.proof?.eci, card.funding], [null, 'unknown'])
    equal(openToken(signed(payloadOf()), rules).funding, 'credit')
  })

  test('may have members that are not known here (GPY-6)', () => {
    ok(openToken(signed(payloadOf({ assuranceDetails: { accountVerified: true }, more: [1] }, { more: {} })), rules))
  })

  // Variants created by wallets, networks and years.
  const DEVICE = { authMethod: 'CRYPTOGRAM_3DS', cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=' }
  const ACCEPTED: [what: string, details: object, read: object][] = [
    ['a month of one digit', { expirationMonth: 1 }, { expMonth: 1 }],
    ['a card of twenty years', { expirationYear: 2046 }, { expYear: 2046 }],
    ['19 digits of Visa', { pan: '4000000000000000006' }, { last4: '0006', brand: 'visa' }],
    ['19 digits of Discover', { pan: '6011000000000000001' }, { last4: '0001', brand: 'discover' }],
    ['Mastercard from 2', { pan: '2223000048400011' }, { last4: '0011', brand: 'mastercard' }],
    ['American Express', { pan: '378282246310005' }, { last4: '0005', brand: 'amex' }],
    ['an ECI of one digit', { ...DEVICE, eciIndicator: '5' }, { eci: '5' }],
    ['an ECI of a failed authentication', { ...DEVICE, eciIndicator: '07' }, { eci: '07' }],
    ['an ECI that is null', { ...DEVICE, eciIndicator: null }, { eci: null }],
    ['no ECI', DEVICE, { eci: null }],
    ['a cryptogram of 28 bytes', { ...DEVICE, cryptogram: Buffer.alloc(28, 7).toString('base64') }, { eci: null }],
    ['assurance of the wallet', { assuranceDetails: { cardHolderAuthenticated: false } }, { last4: '1111' }],
    [
      'a cryptogram of an account, which proves nothing there',
      { cryptogram: DEVICE.cryptogram, eciIndicator: '05' },
      { eci: undefined },
    ],
  ]
  for (const [what, details, read] of ACCEPTED) {
    test(`may have ${what} (GPY-6)`, () => {
      const { number, expMonth, expYear, brand, wallet } = openToken(signed(payloadOf(details)), rules)
      const known = { last4: number.reveal().slice(-4), expMonth, expYear, brand, eci: wallet?.proof?.eci }
      deepEqual({ ...known, ...read }, known)
    })
  }

  test('that is not UTF-8 is refused', () => {
    // The wallet encrypts bytes that were a text; a lone surrogate is written as U+FFFD, so the text is malformed JSON.
    throws(() => openToken(signed(null, { text: '{"messageId":"\ud800"' }), rules), invalid('payload'))
  })
})
