import { deleteExpiredCountersJob, deleteExpiredCredentialsJob } from '../access/access-jobs.ts'
import { deleteRefusedCardAttemptsJob } from '../checkout/pay/card-testing-jobs.ts'
import { deleteOldCardLinksJob, expireSessionsJob } from '../checkout/sessions/session-jobs.ts'
import { inquireOpenChallengesJob, wipeExpiredAuthenticationsJob } from '../checkout/three-ds/three-ds-jobs.ts'
import type { Config } from '../config.ts'
import { deleteOldDashboardRequestsJob, deleteOldRefusalsJob } from '../dashboard/dashboard-jobs.ts'
import { indexSessionReferencesJob } from '../dashboard/search/search-jobs.ts'
import { deleteOldLettersJob } from '../emails/letter-jobs.ts'
import { deliveryTimings } from '../events/delivery/delivery.ts'
import { createDeliveryWorker, type DeliveryWorker } from '../events/delivery/delivery-worker.ts'
import { deleteOldEventsJob } from '../events/webhooks/event-jobs.ts'
import { deleteExpiredMessagesJob } from '../google-pay/google-pay-jobs.ts'
import type { Metrics } from '../http/metrics.ts'
import type { JobWorker } from '../jobs/job.ts'
import { batchesJob } from '../payments/batches/batch-jobs.ts'
import { reconcileDaysJob } from '../payments/reconciliation/reconciliation-jobs.ts'
import { reconcileWrittenOffJob, resolveJob } from '../payments/recovery/recovery-jobs.ts'
import { deleteOldSaleRequestsJob } from '../payments/stored-card-sale/sale-jobs.ts'
import { runDueBillsJob } from '../subscriptions/bills/billing-jobs.ts'
import { deleteOldStartsJob } from '../subscriptions/create/start-jobs.ts'
import { notifyExpiringCardsJob, notifyRenewalsJob } from '../subscriptions/notices/notice-jobs.ts'
import { deleteOldResumeRequestsJob } from '../subscriptions/resume/resume-jobs.ts'
import type { Services } from './services.ts'

const JOBS = [
  resolveJob,
  reconcileWrittenOffJob,
  reconcileDaysJob,
  runDueBillsJob,
  notifyRenewalsJob,
  notifyExpiringCardsJob,
  batchesJob,
  expireSessionsJob,
  deleteOldCardLinksJob,
  inquireOpenChallengesJob,
  wipeExpiredAuthenticationsJob,
  deleteRefusedCardAttemptsJob,
  deleteExpiredMessagesJob,
  deleteOldSaleRequestsJob,
  deleteOldResumeRequestsJob,
  deleteOldStartsJob,
  deleteOldLettersJob,
  deleteOldDashboardRequestsJob,
  deleteOldRefusalsJob,
  indexSessionReferencesJob,
  deleteExpiredCredentialsJob,
  deleteExpiredCountersJob,
  deleteOldEventsJob,
]

/** Returns the workers of all jobs. */
export const workersOf = (services: Services): JobWorker[] => JOBS.map((job) => job.worker(services))

/** Delivers webhooks in this process. */
export function webhooksOf(config: Config, services: Services, metrics: Metrics): DeliveryWorker {
  return createDeliveryWorker({
    ...services,
    timings: deliveryTimings(config.timeScale),
    countDelivery: metrics.countDelivery,
  })
}
