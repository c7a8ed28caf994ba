import { ResumePreviewRequest, ResumeRequest } from '../../../contract/subscription.ts'
import type { MerchantApi } from '../../access/keys/merchant-api.ts'
import { type Route, route } from '../../http/route.ts'
import { previewResume } from './preview-resume.ts'
import { RESUME_DOCUMENTS as documents } from './resume-openapi.ts'
import { type ResumeServices, resumeSubscription } from './resume-subscription.ts'

/** The routes that resume subscriptions. */
export function resumeRoutes(services: ResumeServices & Pick<MerchantApi, 'shared'>): Route[] {
  const { shared } = services
  return [
    route({
      ...shared,
      method: 'POST',
      path: '/api/v1/subscriptions/{id}/resume/preview',
      scope: 'subscriptions:read',
      body: ResumePreviewRequest,
      document: documents.preview,
      async handle({ caller: { business }, params: { id = '' }, body }) {
        return { body: await previewResume(services, { business, id, anchor: body.billing_cycle_anchor }) }
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/api/v1/subscriptions/{id}/resume',
      scope: 'subscriptions:write',
      body: ResumeRequest,
      document: documents.resume,
      async handle({ caller: { business }, params: { id = '' }, body, idempotencyKey }) {
        return { body: await resumeSubscription(services, { business, id, body, idempotencyKey }) }
      },
    }),
  ]
}
