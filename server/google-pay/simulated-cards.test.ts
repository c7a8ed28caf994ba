import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { passesLuhn } from '../lib/luhn.ts'
import { AUTH_METHODS, SIMULATED_NETWORKS, simulatedCard } from './simulated-cards.ts'

const NOW = new Date('2026-11-22T12:00:00Z')

test('GPY-8: the simulated wallet has six cards, each with a number of its own that can be charged', () => {
  const cards = SIMULATED_NETWORKS.flatMap((card_network) =>
    AUTH_METHODS.map((auth_method) => simulatedCard({ card_network, auth_method }, NOW).card),
  )
  equal(new Set(cards.map(({ pan }) => pan)).size, 6)
  deepEqual(
    cards.filter(({ pan }) => !passesLuhn(pan)),
    [],
  )
  for (const { authMethod, cryptogram } of cards) equal(cryptogram !== undefined, authMethod === 'CRYPTOGRAM_3DS')
})

test('a cryptogram is new each time, and names 20 bytes', () => {
  const make = () => simulatedCard({ card_network: 'VISA', auth_method: 'CRYPTOGRAM_3DS' }, NOW).card.cryptogram ?? ''
  equal(Buffer.from(make(), 'base64').length, 20)
  notEqual(make(), make())
})
