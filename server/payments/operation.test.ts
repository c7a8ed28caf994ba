import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isNotFoundFinal, movesBy, needsAttention, nextInquiryAt } from './operation.ts'

const SENT_AT = new Date('2026-11-21T12:00:00Z')
const after = (seconds: number) => new Date(SENT_AT.getTime() + seconds * 1000)

describe('An operation', () => {
  const rows = [
    ['approved', ['SENT', 'IN_DOUBT'], 'APPROVED'],
    ['approved in part', ['SENT', 'IN_DOUBT'], 'REVERSING'],
    ['declined by policy', ['SENT', 'IN_DOUBT'], 'REVERSING'],
    ['declined', ['SENT', 'IN_DOUBT'], 'DECLINED'],
    ['not sent', ['SENT', 'IN_DOUBT'], 'NOT_SENT'],
    ['silence', ['SENT'], 'IN_DOUBT'],
    ['found approved', ['SENT', 'IN_DOUBT'], 'REVERSING'],
    ['adopted', ['SENT', 'IN_DOUBT'], 'APPROVED'],
    ['found reversed', ['IN_DOUBT'], 'REVERSED'],
    ['found not charged', ['SENT', 'IN_DOUBT'], 'NOT_CHARGED'],
    ['reversed', ['REVERSING', 'NOT_CHARGED', 'NOT_SENT'], 'REVERSED'],
  ] as const
  for (const [trigger, from, to] of rows) {
    test(`${from.join(' or ')}: ${trigger} makes it ${to}`, () => deepEqual(movesBy(trigger), { from: [...from], to }))
  }

  test('no trigger leads out of APPROVED, DECLINED or REVERSED', () => {
    const left = rows.flatMap(([trigger]) => movesBy(trigger).from)
    deepEqual(
      left.filter((state) => ['APPROVED', 'DECLINED', 'REVERSED'].includes(state)),
      [],
    )
  })
})

describe('The timetable of inquiries', () => {
  const rows = [
    [0, 15],
    [15, 20],
    [44, 45],
    [61, 90],
    [300, 900],
    [3_600, 7_200],
  ] as const
  for (const [age, next] of rows) {
    test(`${age} s after sending the next inquiry is at ${next} s`, () => {
      deepEqual(nextInquiryAt(SENT_AT, after(age), 1), after(next))
    })
  }

  test('after a day the operation needs attention', () => {
    equal(needsAttention(SENT_AT, after(86_400), 1), false)
    equal(needsAttention(SENT_AT, after(86_401), 1), true)
  })
})

describe('"Not found" is final', () => {
  const waits = { notFoundFinalAfterMs: 120_000, agreeingMs: 30_000 }
  const operation = (notFoundAt: number | null) => ({
    deadlineAt: after(15),
    notFoundSince: notFoundAt === null ? null : after(notFoundAt),
  })
  const rows = [
    ['not without an earlier "not found"', null, 1_000, false],
    ['not within notFoundFinalAfterMs of the last possible byte', 20, 134, false],
    ['not when the two results are too close together', 120, 140, false],
    ['when both times have passed', 60, 140, true],
  ] as const
  for (const [name, since, now, final] of rows) {
    test(name, () => equal(isNotFoundFinal(operation(since), after(now), waits), final))
  }
})
