import Type from 'typebox'
import { job } from '../../jobs/job.ts'
import { hourly } from '../../jobs/timetable.ts'
import { deleteEventsBeyondRetention, type RetentionServices } from './delete-old-events.ts'

export const deleteOldEventsJob = job({
  name: 'delete-old-events',
  data: Type.Object({}),
  retries: { max: 3, delaySeconds: 60 },
  timetable: hourly(41),
  run: (services: RetentionServices) => deleteEventsBeyondRetention(services),
})
