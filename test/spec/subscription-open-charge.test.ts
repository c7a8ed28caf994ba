import { deepEqual, equal } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { runDue } from '../../server/subscriptions/bills/run-due-bills.ts'
import { assertConflict } from '../support/lifecycle-calls.ts'
import type { Response } from '../support/merchant.ts'
import { openResumes, type Resumes, START } from '../support/paused-subscriptions.ts'
import { createSubscribed, storedSubscription } from '../support/subscriptions.ts'

// SUB-10: which calls are refused and which are possible while a bill is being charged, and that its outcome is
// recorded in any case.

const DUE = '2027-04-01T12:00:00Z'

type Which = { id: string }

let resumes: Resumes
before(async () => {
  // In real time, so that a sale may wait for the test's other calls.
  resumes = await openResumes(1)
})
beforeEach(() => resumes.service.simulator.resetScript())
after(() => resumes.close())

/** Creates a subscription whose second bill is being charged until `outcome` is called. */
async function charging(declined = false): Promise<{ one: Which; outcome: () => Promise<unknown> }> {
  const { service, clock, offer } = resumes
  clock.set(START)
  const one = await createSubscribed(service, offer)
  clock.set(DUE)
  if (declined) await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
  const release = resumes.holdSales()
  const outcome = runDue(service.app.services)
  await resumes.untilCharging(one)
  return {
    one,
    outcome() {
      release()
      return outcome
    },
  }
}

async function isCharging({ id }: Which): Promise<boolean> {
  return (await storedSubscription(resumes.service, id)).isCharging
}

async function paymentStates(one: Which): Promise<string[]> {
  return (await resumes.paymentsOf(one)).map(({ status }: { status: string }) => status)
}

const billStates = async (one: Which) =>
  (await resumes.stored(one)).bills.map((bill) => bill.closed_reason ?? bill.status)

describe('While a bill is being charged', () => {
  test('an immediate pause and its preview are 409; the bill is paid', async () => {
    const { one, outcome } = await charging()
    assertConflict(await resumes.calls.preserve(one))
    assertConflict(await resumes.calls.previewPause(one, 'immediate'))
    equal(await isCharging(one), true)
    await outcome()
    deepEqual(await paymentStates(one), ['succeeded', 'succeeded'])
    equal((await resumes.calls.preserve(one)).status, 200)
  })

  for (const [name, call, end] of [
    ['a pause at the end of the period', (one) => resumes.calls.pauseAtEnd(one), { pause_at: true, cancel_at: false }],
    [
      'a cancel at the end of the period',
      (one) => resumes.calls.cancelAtEnd(one),
      { pause_at: false, cancel_at: true },
    ],
  ] as [string, (one: Which) => Promise<Response>, Record<'pause_at' | 'cancel_at', boolean>][]) {
    test(`${name} is scheduled, taken back and scheduled again; the bill is paid`, async () => {
      const { one, outcome } = await charging()
      const takeBack = end.pause_at
        ? resumes.calls.undoPause
        : (which: Which) => resumes.calls.cancelAtEnd(which, false)
      for (const step of [call, takeBack, call]) equal((await step(one)).status, 200)
      equal(await isCharging(one), true)
      await outcome()
      const { body } = await resumes.calls.api.get(`/subscriptions/${one.id}`)
      deepEqual(
        [body.status, body.pause_at !== null, body.cancel_at !== null, body.installments_billed],
        ['active', end.pause_at, end.cancel_at, 2],
      )
      const { subscription } = (await resumes.stored(one)).loaded
      equal(subscription.dueAt?.toISOString(), '2027-05-01T04:00:00.000Z')
    })
  }

  test('a cancel is done; the approval is recorded, and the subscription stays canceled', async () => {
    const { one, outcome } = await charging()
    equal((await resumes.calls.cancel(one)).status, 200)
    equal(await isCharging(one), true)
    await outcome()
    deepEqual(await paymentStates(one), ['succeeded', 'succeeded'])
    deepEqual(await billStates(one), ['FULFILLED', 'FULFILLED'])
    const { body } = await resumes.calls.api.get(`/subscriptions/${one.id}`)
    deepEqual([body.status, body.installments_billed, body.next_billing_at], ['canceled', 2, null])
  })

  test('a cancel is done; the decline is recorded, and no retry follows', async () => {
    const { one, outcome } = await charging(true)
    equal((await resumes.calls.cancel(one)).status, 200)
    await outcome()
    deepEqual(await paymentStates(one), ['failed', 'succeeded'])
    deepEqual(await billStates(one), ['FULFILLED', 'canceled'])
    equal((await resumes.stored(one)).loaded.subscription.dueAt, null)
  })

  test('a pause takes effect at its boundary; a resume is 409 until the outcome is recorded', async () => {
    const { one, outcome } = await charging()
    await resumes.calls.pauseAtEnd(one)
    resumes.clock.set('2027-05-01T12:00:00Z')
    equal((await resumes.calls.api.get(`/subscriptions/${one.id}`)).body.status, 'paused')
    equal(await isCharging(one), true)
    assertConflict(await resumes.calls.previewResume(one, 'unchanged'))
    assertConflict(await resumes.calls.resume(one, 'unchanged'))
    await outcome()
    deepEqual(await paymentStates(one), ['succeeded', 'succeeded'])
    const { body } = await resumes.calls.resume(one, 'unchanged')
    deepEqual([body.status, body.installments_billed], ['active', 2])
  })
})
