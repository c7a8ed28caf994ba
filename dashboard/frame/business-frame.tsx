import { Outlet, useMatches, useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { AREAS } from '../areas.ts'
import type { AreaPage } from '../kit/area.ts'
import { Empty } from '../kit/empty.tsx'
import { type Business, BusinessProvider, useMe } from '../kit/me.ts'
import { Page, PageWait } from '../kit/page.tsx'
import { useTexts } from '../kit/texts.ts'
import { NotFound } from './failures.tsx'
import { FRAME_TEXTS } from './frame-texts.ts'
import { Navigation } from './navigation.tsx'
import { Notices } from './notices.tsx'
import { Shell } from './shell.tsx'

/** Pages of the business in the URL; for a business that is not the person's, the page is not found (DSH-1). */
export function BusinessFrame() {
  const { businesses } = useMe()
  const { businessId } = useParams({ strict: false }) as { businessId?: string }
  const business = businesses.find(({ id }) => id === businessId)
  if (!business) {
    return (
      <Shell>
        <NotFound />
      </Shell>
    )
  }
  return (
    <BusinessProvider value={business}>
      <Shell navigation={<Navigation />} notices={<Notices />}>
        <Suspense fallback={<PageWait />}>
          <AllowedPage business={business} />
        </Suspense>
      </Shell>
    </BusinessProvider>
  )
}

function AllowedPage({ business }: { business: Business }) {
  const page = useMatches({ select: (matches) => (matches.at(-1)?.staticData as { page?: AreaPage })?.page })
  const { environment } = useMe()
  if (page?.stagingOnly && environment === 'production') return <NotFound />
  if (page && !business.permissions.includes(page.permission)) return <Forbidden page={page} />
  return <Outlet />
}

function Forbidden({ page }: { page: AreaPage }) {
  const t = useTexts(FRAME_TEXTS)
  const { nav } = navPageOf(page) ?? {}
  return (
    <Page title={nav ? t[`nav_${nav.label}`] : t.notFoundTitle}>
      <Empty kind="notAllowed" permission={page.permission} />
    </Page>
  )
}

/** Returns the page whose navigation item is active: `sales/new` has none of its own, so its area's item is. */
function navPageOf(page: AreaPage): AreaPage | undefined {
  const pages = AREAS.find((area) => area.pages.includes(page))?.pages.filter(({ nav }) => nav) ?? []
  return pages.find(({ path }) => `${page.path}/`.startsWith(`${path}/`)) ?? pages[0]
}
