import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { signIn } from '../support/dashboard.ts'
import { openService } from '../support/service.ts'
import { makeSubscriber, subscribe } from '../support/subscriber.ts'

const DAY_MS = 86_400_000

test('SUB-12: what cannot be canceled so has no preview either', async () => {
  await using service = await openService()
  const owner = await signIn(service)
  const ana = await makeSubscriber(service)
  const ended = await subscribe(ana)
  await owner.call(`DELETE /subscriptions/${ended}`, { body: {} })
  const later = new Date(Date.now() + 90 * DAY_MS).toJSON().slice(0, 10)
  const waiting = await subscribe(ana, { payment_method: undefined, start_date: later })
  for (const [id, mode, status] of [
    [ended, 'now', 409],
    [ended, 'period_end', 409],
    [waiting, 'period_end', 409],
    [waiting, 'now', 200],
  ] as const)
    equal((await owner.call(`POST /subscriptions/${id}/cancel/preview`, { body: { mode } })).status, status, mode)
})
