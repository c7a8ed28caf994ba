import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { EVENT_TYPES } from '../../contract/event.ts'
import { CARDS } from '../support/card-numbers.ts'
import { EVENT_ROWS, type EventWorld, eventWorldOf, type Happened } from '../support/event-rows.ts'
import { BILLING_ROWS } from '../support/event-rows-billing.ts'
import { eventsOf } from '../support/recorded.ts'
import { openService, type TestService } from '../support/service.ts'
import { assertSoundBooks } from '../support/sound-books.ts'

// EVT-1 to EVT-4: every type of event, as it happens through the API.

const ROWS = [...EVENT_ROWS, ...BILLING_ROWS]

/** What was changed, as it was. */
function previousOf({ before: was, shown, changedBefore = [] }: Happened): object | undefined {
  const changed = Object.entries(was ?? {}).filter(([name, value]) => !isDeepStrictEqual(value, shown[name]))
  return was && withoutMembers(Object.fromEntries(changed), changedBefore)
}

const withoutMembers = (object: object | undefined, names: string[] = []) =>
  object && Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

const CARD_NUMBERS = Object.values(CARDS).flatMap((number) => [number, number.slice(0, 6)])

interface EventData {
  object?: object
  previous_attributes?: object
  refund?: object
}

/** Only a stored card shows when it expires. */
const CARD_FIELDS = /"(?:cvv|cvc|pan|card_?number|first6|track\w*|exp(?:iry|iration|_?month|_?year))"/gi
const mayExpire = (type: string) => type.startsWith('payment_method.')

function assertNoCardData(data: object, type: string): void {
  const text = JSON.stringify(data).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '')
  deepEqual(
    CARD_NUMBERS.filter((digits) => text.includes(digits)),
    [],
  )
  const fields = text.match(CARD_FIELDS) ?? []
  deepEqual([...fields].sort(), mayExpire(type) ? ['"exp_month"', '"exp_year"'] : [])
}

describe('Events', () => {
  let service: TestService
  let world: EventWorld
  before(async () => {
    service = await openService()
    world = eventWorldOf(service)
  })
  after(async () => {
    try {
      await assertSoundBooks(service)
    } finally {
      await service.close()
    }
  })

  test('of every type happen here', () => {
    const missing = EVENT_TYPES.filter((type) => !ROWS.some((row) => row.type === type))
    deepEqual(missing, [])
  })

  for (const { type, how, happen } of ROWS) {
    test(`${type}${how ? ` ${how}` : ''}: once, numbered, with the object as it is read`, async () => {
      const happened = await happen(world)
      const recorded = await eventsOf(service, happened.objectId)
      deepEqual(
        recorded.map(({ sequence }) => sequence),
        recorded.map((_, index) => index + 1),
      )
      const [event, ...more] = recorded.filter((one) => one.type === type)
      deepEqual([event?.type, more], [type, []])
      const { object, previous_attributes, ...others }: EventData = event?.data ?? {}
      const { shown, refund, changedBefore } = happened
      deepEqual(object, shown)
      deepEqual(withoutMembers(previous_attributes, changedBefore), previousOf(happened))
      deepEqual(others, refund ? { refund } : {})
      equal(shown.id, happened.objectId)
      assertNoCardData(event?.data ?? {}, type)
    })
  }
})
