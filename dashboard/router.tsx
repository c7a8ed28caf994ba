import type { QueryClient } from '@tanstack/react-query'
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { AREAS } from './areas.ts'
import { BusinessFrame } from './frame/business-frame.tsx'
import { NotFound, PageError } from './frame/failures.tsx'
import { PersonFrame } from './frame/person-frame.tsx'
import { Root } from './frame/root.tsx'
import { UnknownPage } from './frame/unknown-page.tsx'
import type { AreaPage } from './kit/area.ts'
import { CallError } from './kit/call-error.ts'
import { localeOf } from './kit/locale.ts'
import { freshMe, type Me, meQuery } from './kit/me.ts'
import { beginReads } from './kit/read.ts'
import { showLocale, withTexts } from './kit/texts.ts'
import { searchOf } from './kit/transport.ts'

// The URLs of the pages. A query is plain text, so that people can read and write it.

const parseSearch = (query: string) => Object.fromEntries(new URLSearchParams(query))

export function createDashboardRouter(client: QueryClient) {
  return createRouter({
    routeTree: createTree(client),
    parseSearch,
    stringifySearch: searchOf,
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    scrollRestoration: true,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: PageError,
  })
}

/** What the router passes when a page of a person or a business starts to load. */
interface Loading {
  location: { href: string; search: Record<string, string> }
  matches: { staticData: unknown }[]
  params: { businessId?: string }
  /** Whether the page is only likely to be opened. */
  preload: boolean
}

function createTree(client: QueryClient): AnyRoute {
  const root = createRootRoute({ component: Root, notFoundComponent: UnknownPage })
  const loadMe = async ({ location, matches, params, preload }: Loading) => {
    const { page } = (matches.at(-1)?.staticData ?? {}) as { page?: AreaPage }
    // An error here occurs again when the page is shown.
    page?.load().catch(() => undefined)
    const me = await signedIn(client, location.href)
    const business = me.businesses.find(({ id }) => id === params.businessId)
    // A refused read would be recorded in the audit log.
    if (!preload && page?.reads && business?.permissions.includes(page.permission))
      beginReads(client, business.id, page.reads(location.search))
  }
  const person = createRoute({ getParentRoute: () => root, id: 'person', component: PersonFrame, beforeLoad: loadMe })
  const business = createRoute({
    getParentRoute: () => root,
    path: '/dashboard/b/$businessId',
    component: BusinessFrame,
    beforeLoad: loadMe,
  })
  const entries = AREAS.flatMap(({ personPages = [] }) => personPages)
  const personPages = entries.map(({ path, isPublic, load }) => ({
    isPublic,
    route: (parent: AnyRoute) =>
      createRoute({
        getParentRoute: () => parent,
        path: path === '' ? '/dashboard' : `/dashboard/${path}`,
        component: lazyRouteComponent(() => withTexts(load())),
      }),
  }))
  const home = createRoute({
    getParentRoute: () => business,
    path: '/',
    beforeLoad: ({ params }) => {
      throw redirect({ to: `/dashboard/b/${(params as { businessId: string }).businessId}/home` })
    },
  })
  const pages = AREAS.flatMap((area) => area.pages).map((page) => pageRoute(business, page))
  return root.addChildren([
    ...personPages.filter(({ isPublic }) => isPublic).map(({ route }) => route(root)),
    person.addChildren(personPages.filter(({ isPublic }) => !isPublic).map(({ route }) => route(person))),
    business.addChildren([home, ...pages]),
  ])
}

/** Returns the session; without one it redirects to the sign-in page, which leads back. */
async function signedIn(client: QueryClient, href: string): Promise<Me> {
  try {
    const me = await client.ensureQueryData({ ...meQuery, queryFn: freshMe })
    await showLocale(localeOf(me.user.locale))
    return me
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'signed_out') throw error
    throw redirect({ to: '/dashboard/sign-in', search: { next: href } as never })
  }
}

const pageRoute = (business: AnyRoute, page: AreaPage): AnyRoute =>
  createRoute({
    getParentRoute: () => business,
    path: page.path,
    component: lazyRouteComponent(() => withTexts(page.load())),
    staticData: { page } as never,
  })
