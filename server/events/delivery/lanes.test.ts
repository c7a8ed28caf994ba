import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLanes } from './lanes.ts'
import { createTurns } from './turns.ts'

// EVT-11.

describe('Places for attempts', () => {
  test('an endpoint has eight, and two while it is slow', () => {
    const lanes = createLanes()
    const lane = lanes.of('business', 'endpoint')
    equal(lanes.take(lane), 8)
    equal(lanes.take(lane), 0)
    lanes.release(lane, 7)
    lanes.setSlow(lane, true)
    equal(lanes.take(lane), 1)
    lanes.setSlow(lane, false)
    equal(lanes.take(lane), 6)
  })

  test('slow endpoints take no places from the others, and have some of their own', () => {
    const lanes = createLanes()
    const slow = Array.from({ length: 1_000 }, (_, index) => lanes.of('slow', `slow ${index}`))
    for (const lane of slow) lanes.setSlow(lane, true)
    const taken = slow.map((lane) => lanes.take(lane)).reduce((a, b) => a + b)
    equal(taken, 64)
    equal(lanes.take(lanes.of('quick', 'quick')), 8)
  })

  test('endpoints that become slow return the places they had', () => {
    const lanes = createLanes()
    const dead = Array.from({ length: 100 }, (_, index) => lanes.of('dead', `dead ${index}`))
    equal(
      dead.map((lane) => lanes.take(lane)).reduce((a, b) => a + b),
      256,
    )
    const quick = lanes.of('quick', 'quick')
    equal(lanes.take(quick), 0)
    for (const lane of dead) lanes.setSlow(lane, true)
    equal(lanes.take(quick), 8)
    for (const lane of dead) lanes.release(lane, lane.taken)
    equal(lanes.take(dead[0] ?? quick), 2)
  })
})

describe('Turns', () => {
  test('businesses take turns, whatever their backlog', () => {
    const lanes = createLanes()
    const turns = createTurns(lanes)
    const add = (businessId: string, endpointId: string) => turns.add(lanes.of(businessId, endpointId))
    for (const endpoint of ['1', '2', '3']) add('large', endpoint)
    add('small', '4')
    const order: string[] = []
    for (let turn = turns.next(() => true); turn && order.length < 6; turn = turns.next(() => true)) {
      order.push(turn.businessId)
      for (const { lane, limit } of turn.places) {
        lanes.release(lane, limit)
        turns.add(lane)
      }
    }
    deepEqual(order, ['large', 'small', 'large', 'small', 'large', 'small'])
  })

  test('one without a free place, or with a claim under way, delays no other', () => {
    const lanes = createLanes()
    const turns = createTurns(lanes)
    const [full, claiming, free] = ['full', 'claiming', 'free'].map((id) => lanes.of(id, id))
    if (!full || !claiming || !free) throw new Error('three lanes')
    lanes.take(full)
    for (const lane of [full, claiming, free]) turns.add(lane)
    const next = () => turns.next((businessId) => businessId !== 'claiming')
    equal(next()?.businessId, 'free')
    equal(next(), null)
    lanes.release(full, 1)
    deepEqual(next(), { businessId: 'full', places: [{ lane: full, limit: 1 }] })
    equal(next(), null)
    equal(turns.next(() => true)?.businessId, 'claiming')
  })
})
