import Type from 'typebox'
import { job } from '../../jobs/job.ts'
import { minutes } from '../../jobs/timetable.ts'
import type { BillServices } from './bill-charge.ts'
import { runDue } from './run-due-bills.ts'

/** If nothing is due, a run is a single lookup in the index of `due_at`. */
export const runDueBillsJob = job({
  name: 'run-due-bills',
  data: Type.Object({}),
  // The next scheduled run comes sooner than a retry would.
  retries: { max: 0, delaySeconds: 60 },
  timetable: minutes(1),
  async run(services: BillServices) {
    while (!(await runDue(services)).isComplete);
  },
})
