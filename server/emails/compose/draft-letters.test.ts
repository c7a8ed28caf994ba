import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { NOTIFIED_TYPES } from '../../events/event-queries.ts'
import { DRAFTS } from './draft-letters.ts'

test('the events that are recorded as notifications are those that make letters', () => {
  const facts = [
    'webhook_endpoint.disabled',
    'card.expiring',
    'subscription.upcoming_renewal',
    'subscription.card_link',
    'customer.card_request',
    'contract.link',
    'person.password_reset',
    'person.invited',
    'person.factors_reset',
    'person.account_changed',
  ]
  deepEqual(Object.keys(DRAFTS).sort(), [...NOTIFIED_TYPES, ...facts].sort())
})
