import { deepEqual } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nodesOf, product, text } from './tree.ts'

describe('card data', () => {
  /**
   * Files in which a line may use these words: the vault, the gateways, the form, and the guard that refuses card data.
   */
  const HOMES = [
    /^server\/vault\//,
    /^server\/gateway\//,
    /^server\/three-d-secure\//,
    /^server\/google-pay\//,
    /^payment-form\//,
    // Passes a typed card on to the vault's types.
    /^server\/checkout\/page\/form-post\.ts$/,
    // Opens a stored card for one charge, and says that it has no CVV.
    /^server\/customers\/open-stored-card\.ts$/,
    // Has an option for the policy of the security code.
    /^server\/businesses\/business-command\.ts$/,
    // Checks whether the payer has typed the code of a card.
    /^server\/payments\/check-policy\.ts$/,
    // Sends a card to the gateway.
    /^server\/payments\/card-source\.ts$/,
    /^server\/http\/card-like-fields\.ts$/,
    /^contract\/form-post\.ts$/,
    // Describes the simulator's test cards.
    /^contract\/dashboard\/test-card-texts\.ts$/,
  ]
  test('card-number words occur only where a card number may be', () => {
    const words = /\b(?:cardNumber|card_number|cvv|cvc|pan)\b/i
    const code = (file: string) => text(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    const files = product.filter((file) => /^(?:contract|server)\//.test(file) && words.test(code(file)))
    deepEqual(
      files.filter((file) => !HOMES.some((home) => home.test(file))),
      [],
    )
  })

  test('only the vault and what sends a card reveal a secret', () => {
    const reveals = (file: string) =>
      nodesOf(file).some(
        ({ node, parent }) =>
          (node.type === 'Identifier' && node.name === 'reveal' && parent?.type !== 'MethodDefinition') ||
          (node.type === 'Literal' && node.value === 'reveal'),
      )
    deepEqual(product.filter(reveals), [
      'server/payments/card-source.ts',
      'server/three-d-secure/areq.ts',
      'server/three-d-secure/sealed-card.ts',
      'server/vault/vault.ts',
    ])
  })

  test('only the vault uses ciphers, Google Pay, and what seals session tokens and secrets that must be read again', () => {
    const files = product.filter((file) => /createCipheriv|createDecipheriv|@noble\/ciphers/.test(text(file)))
    deepEqual(files, [
      'server/checkout/sessions/session-token.ts',
      'server/google-pay/decrypt-message.ts',
      'server/google-pay/simulated-wallet.ts',
      'server/lib/sealed-text.ts',
      'server/vault/envelope.ts',
    ])
  })
})
