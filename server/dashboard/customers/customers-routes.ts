import { isDeepStrictEqual } from 'node:util'
import { CustomerCreate } from '../../../contract/customer.ts'
import {
  CustomerEdit,
  CustomerLettersQuery,
  CustomersQuery,
  HistoryQuery,
} from '../../../contract/dashboard/customers-api.ts'
import { may } from '../../../contract/permissions.ts'
import { changeCustomer } from '../../customers/change-customer.ts'
import { createCustomer } from '../../customers/create-customer.ts'
import { type Customer, noSuchCustomer } from '../../customers/customer.ts'
import { customerExists, findCustomer, lockCustomer } from '../../customers/customer-queries.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { Route } from '../../http/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { countUpTo } from '../count-queries.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { countedWith, dashboardList } from '../list-object.ts'
import { readList } from '../read-list.ts'
import { requireVersion } from '../version.ts'
import { type CardServices, cardRoutes } from './card-routes.ts'
import { lettersFor, listLettersFor } from './customer-letter-queries.ts'
import { customerVersion, newest, readCustomer } from './customer-object.ts'
import { filterOf } from './customers-filter.ts'
import { countCustomers, findListedCustomers, selectCustomers } from './customers-queries.ts'
import { exportRoute } from './export-route.ts'
import { listHistory } from './history-queries.ts'

/** Returns the routes of customers, of what they have and of what was done about them. */
export function customersRoutes(dashboard: DashboardRoutes, services: CardServices): Route[] {
  return [
    ...readRoutes(dashboard, services),
    lettersRoute(dashboard),
    exportRoute(dashboard),
    createRoute(dashboard, services),
    editRoute(dashboard, services),
    ...cardRoutes(dashboard, services),
  ]
}

function readRoutes(dashboard: DashboardRoutes, { clock }: { clock: Clock }): Route[] {
  const { db, environment } = dashboard
  return [
    dashboard.read('GET /customers', {
      permission: 'customers.read',
      query: CustomersQuery,
      async handle({ member: { business }, query }) {
        const filter = filterOf(business, query)
        const { page, counted } = await readList(db, query, {
          filter: () => filter,
          select: (reading) => selectCustomers(reading, filter, query),
          count: (reading) => countCustomers(reading, filter),
          rows: (ids) => findListedCustomers(db, filter.businessId, ids),
        })
        return { body: dashboardList(page, counted, (row) => row) }
      },
    }),
    dashboard.read('GET /customers/{id}', {
      permission: 'customers.read',
      handle: async ({ member: { business }, params }) => ({
        body: await readCustomer({ db, clock, selecting: (work) => boundedRead(db, work) }, business, params.id ?? ''),
      }),
    }),
    dashboard.read('GET /customers/{id}/history', {
      permission: 'customers.read',
      query: HistoryQuery,
      async handle({ member: { business, role, session }, params, query: { limit } }) {
        const [businessId, customerId] = [business.id, params.id ?? '']
        if (!(await customerExists(db, businessId, customerId))) throw noSuchCustomer()
        const actorId = may(role, 'audit.read', environment) ? null : session.userId
        const entries = await listHistory(db, { businessId, customerId, actorId, limit: limit + 1 })
        return { body: newest(entries, limit) }
      },
    }),
  ]
}

function lettersRoute({ read, db }: DashboardRoutes): Route {
  return read('GET /customers/{id}/letters', {
    permission: 'customers.read',
    query: CustomerLettersQuery,
    async handle({ member: { business }, params, query }) {
      const customer = await findCustomer(db, business.id, params.id ?? '')
      if (!customer) throw noSuchCustomer()
      const which = { businessId: business.id, customerId: customer.id, email: customer.email }
      const page = await listLettersFor(db, which, query)
      const counted = await countedWith(page, query, () => countUpTo(db, lettersFor(db, which)))
      return { body: dashboardList(page, counted, (letter) => letter) }
    },
  })
}

function createRoute(dashboard: DashboardRoutes, { clock }: { clock: Clock }): Route {
  return dashboard.write('POST /customers', {
    permission: 'customers.write',
    action: 'customer.create',
    body: CustomerCreate,
    async handle({ member: { business }, body }, tx) {
      const inside = { db: tx, clock }
      const { customer, created } = await createCustomer(inside, { business, input: body })
      if (!created) throw isKnown(customer)
      return {
        status: 201,
        body: await readCustomer(inside, business, customer.id),
        audit: { object: { type: 'customer', id: customer.id }, after: editable(customer) },
      }
    },
  })
}

/** Refuses a customer that exists. The merchant API returns that customer instead; the page links to it. */
const isKnown = ({ id }: Customer) =>
  new ApiError('conflict', {
    message: 'A customer with this e-mail address exists',
    errors: { email: ['is already used by another customer'] },
    extra: { customer: id },
  })

function editRoute(dashboard: DashboardRoutes, { clock }: { clock: Clock }): Route {
  return dashboard.write('PATCH /customers/{id}', {
    permission: 'customers.write',
    action: 'customer.update',
    body: CustomerEdit,
    async handle({ member: { business }, params, body: { version, ...change } }, tx) {
      const [inside, id] = [{ db: tx, clock }, params.id ?? '']
      const before = await lockCustomer(tx, { businessId: business.id, id, email: change.email })
      if (!before) throw noSuchCustomer()
      requireVersion(version, { ...editable(before), version: customerVersion(before) })
      const after = await changeCustomer(inside, { business, id, change })
      return {
        body: await readCustomer(inside, business, id),
        audit: { object: { type: 'customer', id }, ...difference(editable(before), editable(after)) },
      }
    },
  })
}

const editable = ({ name, email, phone, metadata }: Customer) => ({ name, email, phone, metadata })

function difference(before: Record<string, unknown>, after: Record<string, unknown>) {
  const changed = Object.keys(after).filter((field) => !isDeepStrictEqual(before[field], after[field]))
  const only = (values: Record<string, unknown>) => Object.fromEntries(changed.map((field) => [field, values[field]]))
  return { before: only(before), after: only(after) }
}
