import { useRouterState } from '@tanstack/react-router'
import { AREAS } from '../areas.ts'
import type { AreaPage, NavGroup } from '../kit/area.ts'
import { Icon } from '../kit/icons.tsx'
import { AppLink, businessPath } from '../kit/links.tsx'
import { useBusiness, useMe } from '../kit/me.ts'
import { useTexts } from '../kit/texts.ts'
import { FRAME_TEXTS } from './frame-texts.ts'

const GROUPS: NavGroup[] = ['home', 'money', 'recurring', 'customers', 'developers', 'settings']
const PAGES = AREAS.flatMap(({ pages }) => pages).filter((page): page is NavPage => page.nav !== undefined)

type NavPage = AreaPage & Required<Pick<AreaPage, 'nav'>>

/** Pages that the person may see, in groups. */
export function Navigation() {
  const t = useTexts(FRAME_TEXTS)
  const { permissions } = useBusiness()
  const { environment } = useMe()
  const allowed = PAGES.filter(
    ({ permission, stagingOnly }) => permissions.includes(permission) && !(stagingOnly && environment === 'production'),
  )
  const groups = GROUPS.map((group) => ({ group, pages: pagesOf(allowed, group) })).filter(
    ({ pages }) => pages.length > 0,
  )
  return groups.map(({ group, pages }) => (
    <div key={group} className="nav-group">
      <p>
        <Icon name={group} /> {t[`group_${group}`]}
      </p>
      <ul>
        {pages.map((page) => (
          <li key={page.path}>
            <NavLink page={page} label={t[`nav_${page.nav.label}`]} />
          </li>
        ))}
      </ul>
    </div>
  ))
}

const pagesOf = (pages: NavPage[], group: NavGroup) =>
  pages.filter(({ nav }) => nav.group === group).sort((a, b) => a.nav.order - b.nav.order)

function NavLink({ page, label }: { page: NavPage; label: string }) {
  const { id } = useBusiness()
  const own = businessPath(id, page.path)
  const isHere = useRouterState({
    select: ({ location: { pathname } }) => pathname === own || pathname.startsWith(`${own}/`),
  })
  return (
    <AppLink to={page.path} aria-current={isHere ? 'page' : undefined}>
      {label}
    </AppLink>
  )
}
