import { useParams } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useId, useRef } from 'react'
import { announce } from './announce.tsx'
import { CopyId } from './detail.tsx'
import { KIT_TEXTS } from './kit-texts.ts'
import { AppLink } from './links.tsx'
import { useTexts } from './texts.ts'

interface PageProps {
  title: string
  /** Element beside the title: a status, an amount. */
  badge?: ReactNode
  actions?: ReactNode
  /** Breadcrumbs, outermost first; paths are within the business. */
  breadcrumbs?: { label: string; to: string }[]
  /** Name of the object's id, shown before the id. */
  idLabel?: string
  children: ReactNode
}

/**
 * A page with a single h1, which takes the focus after navigation. The page of an object has its id in the head, and
 * shows outlines until its content is loaded.
 */
export function Page({ title, badge, actions, breadcrumbs = [], idLabel, children }: PageProps) {
  const t = useTexts(KIT_TEXTS)
  const { id } = useParams({ strict: false }) as { id?: string }
  return (
    <div className="page">
      {breadcrumbs.length > 0 && <Breadcrumbs items={breadcrumbs} />}
      <header className="page-head">
        <PageTitle title={title} />
        {badge}
        {id !== undefined && idLabel && <span className="dimmed">{idLabel}</span>}
        {id !== undefined && <CopyId id={id} label={idLabel ?? t.id} />}
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      <Suspense fallback={<PageWait />}>{children}</Suspense>
      {id !== undefined && <ObjectWait />}
    </div>
  )
}

/** Placeholder for a part that is still loading, shown after 150 ms. */
export const PageWait = () => (
  <div className="page-wait stack" aria-hidden="true">
    <span className="skeleton" />
    <span className="skeleton" />
    <span className="skeleton" />
  </div>
)

/** Placeholder as high as the first parts of an object. The style hides it once there is content before it. */
const ObjectWait = () => (
  <div className="page-wait object-wait stack" aria-hidden="true">
    <span className="skeleton" />
    <span className="skeleton" />
  </div>
)

function Breadcrumbs({ items }: { items: { label: string; to: string }[] }) {
  const t = useTexts(KIT_TEXTS)
  return (
    <nav aria-label={t.breadcrumbs} className="breadcrumbs">
      <ol>
        {items.map(({ label, to }) => (
          <li key={to}>
            <AppLink to={to}>{label}</AppLink>
          </li>
        ))}
      </ol>
    </nav>
  )
}

const isStaging = () => document.documentElement.dataset.environment === 'staging'
let shown: string | null = null

/** Announces to screen readers which page has opened. The first page of a visit does not move the focus. */
export function PageTitle({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useEffect(() => {
    document.title = `${isStaging() ? '[staging] ' : ''}${title} · Rialto`
    const path = location.pathname
    if (shown !== null && shown !== path) {
      heading.current?.focus({ preventScroll: true })
      announce(title)
    }
    shown = path
  }, [title])
  return (
    <h1 ref={heading} id={id} tabIndex={-1}>
      {title}
    </h1>
  )
}
