import Type from 'typebox'
import { job } from '../../jobs/job.ts'
import { minutes } from '../../jobs/timetable.ts'
import type { SendingServices } from '../services.ts'
import { resolveSettlements } from './resolve-settlements.ts'
import { settleDueBatches } from './settle-due-batches.ts'

export const batchesJob = job({
  name: 'settle-batches',
  data: Type.Object({}),
  retries: { max: 2, delaySeconds: 30 },
  timetable: minutes(1),
  async run(services: SendingServices) {
    await resolveSettlements(services)
    await settleDueBatches(services)
  },
})
