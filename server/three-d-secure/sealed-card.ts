import type { Keyring } from '../lib/keyring.ts'
import { openText, sealText } from '../lib/sealed-text.ts'
import { Secret } from '../vault/secret.ts'

// Secrets stored between two requests of the payer's browser: the card until it is sent to the directory server, and
// the authentication value until it is sent to the gateway. Each can be opened only in its own row and column.

const PURPOSE = 'seal authentications'

/** Card stored between init and authenticate; never with a CVV. */
export interface WaitingCard {
  number: Secret
  expMonth: number
  expYear: number
  name: string | null
}

export function sealCard(keyring: Keyring, id: string, { number, ...card }: WaitingCard): Buffer {
  return sealText(keyring, PURPOSE, rowOf('card', id), JSON.stringify({ ...card, number: number.reveal() }))
}

/** @throws if the card was sealed for another authentication, or modified */
export function openCard(keyring: Keyring, id: string, sealed: Uint8Array): WaitingCard {
  const text = openText(keyring, PURPOSE, rowOf('card', id), sealed)
  const { number, ...card } = JSON.parse(text) as Omit<WaitingCard, 'number'> & { number: string }
  return { ...card, number: new Secret(number) }
}

export function sealValue(keyring: Keyring, id: string, value: Secret): Buffer {
  return sealText(keyring, PURPOSE, rowOf('value', id), value.reveal())
}

/** @throws like `openCard` */
export function openValue(keyring: Keyring, id: string, sealed: Uint8Array): Secret {
  return new Secret(openText(keyring, PURPOSE, rowOf('value', id), sealed))
}

const rowOf = (column: 'card' | 'value', id: string) => `authentication ${column} ${id}`
