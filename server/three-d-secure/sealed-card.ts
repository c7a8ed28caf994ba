import type { Keyring } from '../lib/keyring.ts'
import { openText, sealText } from '../lib/sealed-text.ts'
import { Secret } from '../vault/secret.ts'

// What waits between two requests of the payer's browser: the card until it is sent to the directory server, and the
// authentication value until it is sent to the gateway. Each is sealed with the id of its row, so that it opens in no
// other.

const PURPOSE = 'seal authentications'

/** A card between init and authenticate. Never with a CVV. */
export interface WaitingCard {
  number: Secret
  expMonth: number
  expYear: number
  name: string | null
}

export function sealCard(keyring: Keyring, id: string, { number, ...card }: WaitingCard): Buffer {
  return sealText(keyring, PURPOSE, JSON.stringify({ ...card, id, number: number.reveal() }))
}

/** @throws when it was sealed for another authentication, or modified */
export function openCard(keyring: Keyring, id: string, sealed: Uint8Array): WaitingCard {
  const { number, ...card } = openFor<Omit<WaitingCard, 'number'> & { number: string }>(keyring, id, sealed)
  return { ...card, number: new Secret(number) }
}

export function sealValue(keyring: Keyring, id: string, value: Secret): Buffer {
  return sealText(keyring, PURPOSE, JSON.stringify({ id, value: value.reveal() }))
}

/** @throws like `openCard` */
export function openValue(keyring: Keyring, id: string, sealed: Uint8Array): Secret {
  return new Secret(openFor<{ value: string }>(keyring, id, sealed).value)
}

function openFor<Content extends object>(keyring: Keyring, id: string, sealed: Uint8Array): Content {
  const { id: sealedFor, ...content } = JSON.parse(openText(keyring, PURPOSE, sealed)) as Content & { id: string }
  if (sealedFor !== id) throw new Error('sealed for another authentication')
  return content as Content
}
