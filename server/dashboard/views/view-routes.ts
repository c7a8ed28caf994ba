import { ViewCreate, ViewsQuery, ViewUpdate } from '../../../contract/dashboard/views-api.ts'
import type { Member } from '../../access/sessions/session.ts'
import type { Route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { countOwnViews, deleteView, insertView, listViews, updateView, VIEWS_MAX } from './view-queries.ts'

const ownerOf = ({ business, session }: Member) => ({ businessId: business.id, userId: session.userId })

/**
 * Returns the routes of saved views. A person sees their own and those that others share; only the owner changes a
 * view.
 */
export function viewRoutes(dashboard: DashboardRoutes): Route[] {
  const { db, clock } = dashboard
  return [
    dashboard.read('GET /views', {
      permission: 'home.read',
      query: ViewsQuery,
      handle: async ({ member, query }) => ({
        body: { object: 'list' as const, data: await listViews(db, ownerOf(member), query.list) },
      }),
    }),
    dashboard.write('POST /views', {
      permission: 'home.read',
      action: 'saved_view.create',
      body: ViewCreate,
      async handle({ member, body }, tx) {
        if ((await countOwnViews(tx, ownerOf(member), body.list)) >= VIEWS_MAX) throw tooManyViews()
        const view = await insertView(tx, ownerOf(member), body, clock.now())
        return { status: 201, body: view, audit: auditOf(view.id, { list: view.list, name: view.name }) }
      },
    }),
    dashboard.write('PATCH /views/{id}', {
      permission: 'home.read',
      action: 'saved_view.update',
      body: ViewUpdate,
      async handle({ member, params, body }, tx) {
        const view = await updateView(tx, ownerOf(member), idOf(params), body)
        if (!view) throw noSuchView()
        return { body: view, audit: auditOf(view.id, { list: view.list, name: view.name }) }
      },
    }),
    dashboard.write('DELETE /views/{id}', {
      permission: 'home.read',
      action: 'saved_view.delete',
      async handle({ member, params }, tx) {
        const id = idOf(params)
        if (!(await deleteView(tx, ownerOf(member), id))) throw noSuchView()
        return { body: { id, object: 'saved_view' as const, deleted: true as const }, audit: auditOf(id, null) }
      },
    }),
  ]
}

function idOf({ id }: Record<string, string>): string {
  if (!isUuid(id)) throw noSuchView()
  return id
}

const auditOf = (id: string, after: Record<string, unknown> | null) => ({ object: { type: 'saved_view', id }, after })
const tooManyViews = () =>
  new ApiError('conflict', { message: `A person has at most ${VIEWS_MAX} views in a list. Delete one first.` })

const noSuchView = () => new ApiError('not_found', { message: 'No such view of yours' })
