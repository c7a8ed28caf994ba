import { ContractCreate, ContractPreviewBody, ContractsQuery } from '../../../contract/dashboard/contracts-api.ts'
import type { MakeRateLimiter } from '../../http/rate-limit.ts'
import type { Route } from '../../http/route.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { createContract, linkContract } from '../../subscriptions/contracts/change-contract.ts'
import { countUpTo } from '../count-queries.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { dashboardList } from '../list-object.ts'
import { readList } from '../read-list.ts'
import { changeRoutes, type LinkedServices } from './contract-change-routes.ts'
import { contractExport } from './contract-export-route.ts'
import { fillDraft, readContract } from './contract-object.ts'
import { contractPdf } from './contract-pdf.ts'
import { contractFilter, findContractRows, matchingContracts, selectContracts } from './contracts-queries.ts'

/** Largest body: a text of 100,000 characters, in any script. */
const BODY_BYTES_MAX = 512 * 1024

const PDFS_A_MINUTE = 10

type Services = LinkedServices & { makeRateLimiter: MakeRateLimiter }

/** Returns the routes of contracts, which customers sign before a subscription is charged. */
export function contractsRoutes(dashboard: DashboardRoutes, services: Services): Route[] {
  return [
    ...readRoutes(dashboard),
    contractExport(dashboard),
    pdfRoute(dashboard, services),
    ...draftRoutes(dashboard, services),
    ...changeRoutes(dashboard, services),
  ]
}

function readRoutes(dashboard: DashboardRoutes): Route[] {
  const { db } = dashboard
  return [
    dashboard.read('GET /contracts', {
      permission: 'contracts.read',
      query: ContractsQuery,
      async handle({ member: { business }, query }) {
        const filter = contractFilter(business.id, query)
        const { page, counted } = await readList(db, query, {
          filter: () => filter,
          select: (reading) => selectContracts(reading, filter, query),
          count: (reading) => countUpTo(reading, matchingContracts(reading, filter)),
          rows: (ids) => findContractRows(db, business.id, ids),
        })
        return { body: dashboardList(page, counted, (row) => row) }
      },
    }),
    dashboard.read('GET /contracts/{id}', {
      permission: 'contracts.read',
      handle: async ({ member: { business }, params }) => ({
        body: await readContract(dashboard, business.id, params.id ?? ''),
      }),
    }),
  ]
}

function pdfRoute(dashboard: DashboardRoutes, services: Services): Route {
  const limiter = services.makeRateLimiter({ name: 'dashboard contract pdf', points: PDFS_A_MINUTE, seconds: 60 })
  return dashboard.read('GET /contracts/{id}/pdf', {
    permission: 'contracts.read',
    limits: [{ limiter, key: (_request, { session }) => session.userId }],
    async handle({ member, params, isGone }) {
      const { fileName, content } = await contractPdf(services, member.business, params.id ?? '', isGone)
      const headers = {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${fileName}"`,
      }
      // In the types of the API, a file is a string.
      return { headers, body: content as unknown as string }
    },
  })
}

function draftRoutes(dashboard: DashboardRoutes, services: LinkedServices): Route[] {
  return [
    dashboard.preview('POST /contracts/preview', {
      permission: 'contracts.write',
      body: ContractPreviewBody,
      bodyLimit: BODY_BYTES_MAX,
      handle: async ({ member: { business }, body }) => ({ body: await fillDraft(services, business, body) }),
    }),
    dashboard.write('POST /contracts', {
      permission: 'contracts.write',
      action: 'contract.create',
      body: ContractCreate,
      bodyLimit: BODY_BYTES_MAX,
      async handle({ member: { business }, body }, tx) {
        const inside = { ...services, db: tx }
        const { text, unfilled } = await fillDraft(inside, business, body)
        if (text === '') throw invalidField('text', 'must not be empty')
        if (unfilled.length > 0) throw unfilledError(unfilled)
        const { customer: customerId, subscription, title } = body
        const { id } = await createContract(inside, { business, customerId, title, text })
        if (subscription !== undefined) await linkContract(inside, { business, id, subscriptionId: subscription })
        return {
          status: 201,
          body: await readContract(inside, business.id, id),
          audit: {
            object: { type: 'contract', id },
            after: { status: 'draft', title, customer: customerId, subscription: subscription ?? null },
          },
        }
      },
    }),
  ]
}

const unfilledError = (names: readonly string[]) =>
  new ApiError('validation_failed', {
    message: `text has no value for ${names.join(', ')}`,
    errors: { text: names.map((name) => `has no value for ${name}`) },
    extra: { unfilled: names },
  })
