import Type from 'typebox'
import { job } from '../../jobs/job.ts'
import { minutes } from '../../jobs/timetable.ts'
import type { PaymentServices } from '../services.ts'
import { reconcileDueDays } from './reconcile-due-days.ts'

export const reconcileDaysJob = job({
  name: 'reconcile-days',
  data: Type.Object({}),
  retries: { max: 2, delaySeconds: 60 },
  timetable: minutes(10),
  run: async (services: PaymentServices) => void (await reconcileDueDays(services)),
})
