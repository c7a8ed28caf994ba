import Type from 'typebox'
import { job } from '../../jobs/job.ts'
import { hourly } from '../../jobs/timetable.ts'
import { indexSessionReferences } from '../session-reference-queries.ts'

export const indexSessionReferencesJob = job({
  name: 'index-session-references',
  data: Type.Object({}),
  retries: { max: 3, delaySeconds: 60 },
  timetable: hourly(37),
  run: indexSessionReferences,
})
