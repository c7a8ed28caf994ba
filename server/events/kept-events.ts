import { addSeconds, type Clock } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'

const DAY_SECONDS = 86_400

/** Returns the start of the retention period: earlier events are neither shown nor stored. In real time (EVT-22). */
export const keptSince = (clock: Clock, days: number): Date => addSeconds(clock.now(), -days * DAY_SECONDS)

export const noSuchEvent = () =>
  new ApiError('not_found', { message: 'No such event', errors: { id: ['does not exist in this business'] } })
