import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { EVENT_TYPES, type EventEnvelope } from '../../contract/event.ts'
import { CARDS } from '../support/card-numbers.ts'
import { documentedEvents } from '../support/documented-events.ts'
import { EVENT_ROWS, type EventWorld, eventWorldOf, type Happened } from '../support/event-rows.ts'
import { BILLING_ROWS } from '../support/event-rows-billing.ts'
import { send } from '../support/merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { assertSoundBooks } from '../support/sound-books.ts'

// EVT-1 to EVT-4: every type of event, as it happens through the API and as the OpenAPI document describes it.

const ROWS = [...EVENT_ROWS, ...BILLING_ROWS]

let service: TestService
let world: EventWorld
let documented: ReturnType<typeof documentedEvents>
before(async () => {
  service = await openService()
  callInProcess(service)
  world = eventWorldOf(service)
  documented = documentedEvents((await send(`${service.url}/openapi.json`)).body)
})
after(async () => {
  try {
    await assertSoundBooks(service)
  } finally {
    await service.close()
  }
})

describe('The OpenAPI document', () => {
  test('has a webhook for each type of event', () => {
    deepEqual(documented.types, [...EVENT_TYPES])
  })

  for (const type of EVENT_TYPES)
    test(`has a valid example of ${type}`, () => {
      const example = documented.exampleOf(type)
      equal(example.type, type)
      deepEqual(documented.faultsOf(example), [])
    })
})

describe('Events', () => {
  test('of every type happen here', () => {
    const missing = EVENT_TYPES.filter((type) => !ROWS.some((row) => row.type === type))
    deepEqual(missing, [])
  })

  for (const { type, how, happen } of ROWS)
    test(`${type}${how ? ` ${how}` : ''}: once, numbered, with the object as it is read`, async () => {
      const happened = await happen(world)
      const events = await eventsAbout(happened.objectId)
      deepEqual(
        events.map(({ sequence }) => sequence),
        events.map((_, index) => index + 1),
      )
      const [event, ...more] = events.filter((one) => one.type === type)
      deepEqual([event?.type, more], [type, []])
      if (!event) return
      assertTells(event, happened)
      assertNoCardData(event)
      deepEqual(documented.faultsOf(event), [])
    })
})

/** Returns all events of an object, oldest first. */
async function eventsAbout(objectId: string): Promise<EventEnvelope[]> {
  const { data } = await world.read(`/events?limit=100&object=${objectId}`)
  return data.reverse()
}

function assertTells({ data }: EventEnvelope, happened: Happened): void {
  const { object, previous_attributes, ...more } = data
  const { shown, refund, changedBefore } = happened
  deepEqual(object, shown)
  equal(object.id, happened.objectId)
  deepEqual(without(previous_attributes, changedBefore), previousOf(happened))
  deepEqual(more, refund ? { refund } : {})
}

/** Returns the previous values of what was changed. */
function previousOf({ before: was, shown, changedBefore }: Happened): object | undefined {
  const changed = Object.entries(was ?? {}).filter(([name, value]) => !isDeepStrictEqual(value, shown[name]))
  return was && without(Object.fromEntries(changed), changedBefore)
}

const without = (object: object | undefined, names: string[] = []) =>
  object && Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

const DIGITS = Object.values(CARDS).flatMap((number) => [number, number.slice(0, 6)])
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const CARD_FIELDS = /"(?:cvv|cvc|pan|card_?number|first6|track\w*|exp(?:iry|iration|_?month|_?year))"/gi
/** Members in which a stored card shows its expiry. */
const EXPIRY = ['"exp_month"', '"exp_year"']

function assertNoCardData({ type, data }: EventEnvelope): void {
  const text = JSON.stringify(data)
  const digits = text.replaceAll(UUID, '')
  deepEqual(
    DIGITS.filter((number) => digits.includes(number)),
    [],
  )
  deepEqual([...(text.match(CARD_FIELDS) ?? [])].sort(), type.startsWith('payment_method.') ? EXPIRY : [])
}
