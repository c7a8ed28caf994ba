import { Link, useNavigate, useParams, useRouter, useRouterState } from '@tanstack/react-router'
import { type ComponentPropsWithoutRef, type MouseEvent, type ReactNode, useCallback } from 'react'
import { useBusiness } from './me.ts'

interface AppLinkProps extends Omit<ComponentPropsWithoutRef<'a'>, 'href'> {
  /** Path within the business: `payments/${id}`, optionally with a query. */
  to: string
  children: ReactNode
}

export const businessPath = (businessId: string, to: string): string =>
  `/dashboard/b/${businessId}${to === '' ? '' : `/${to}`}`

/** A link to a page of the same business. */
export function AppLink({ to, children, ...rest }: AppLinkProps) {
  const { id } = useBusiness()
  return (
    <PathLink {...rest} to={businessPath(id, to)}>
      {children}
    </PathLink>
  )
}

/** A link to any page of the dashboard: `/dashboard/account`. */
export function PathLink({ to, children, ...rest }: AppLinkProps) {
  const [path = '', query] = to.split('?')
  const search = Object.fromEntries(new URLSearchParams(query))
  return (
    <Link {...(rest as object)} to={path} search={search as never} preload="intent">
      {children}
    </Link>
  )
}

/** A link for the rows of a table: a link of the router takes much longer to render, and a table has a hundred rows. */
export function RowLink({ to, children }: Pick<AppLinkProps, 'to' | 'children'>) {
  const router = useRouter()
  const target = () => {
    const [path = '', query] = to.split('?')
    return { to: path, search: Object.fromEntries(new URLSearchParams(query)) as never }
  }
  const preload = () => void router.preloadRoute(target()).catch(() => undefined)
  const open = (event: MouseEvent) => {
    const { button, metaKey, altKey, ctrlKey, shiftKey } = event
    // The browser handles it, for example in a new tab.
    if (event.defaultPrevented || button !== 0 || metaKey || altKey || ctrlKey || shiftKey) return
    event.preventDefault()
    void router.navigate(target())
  }
  return (
    <a href={to} onClick={open} onMouseEnter={preload} onFocus={preload} onTouchStart={preload}>
      {children}
    </a>
  )
}

interface HelpLinkProps extends Omit<ComponentPropsWithoutRef<'a'>, 'href'> {
  /** Part of the API reference: `tag/customers`; its beginning by default. */
  part?: string
  children: ReactNode
}

/** Link to the API reference, which opens in a new tab. */
export function HelpLink({ part, children, ...rest }: HelpLinkProps) {
  const reference = `${document.documentElement.dataset.api ?? ''}/docs`
  return (
    <a {...rest} href={part ? `${reference}#${part}` : reference} target="_blank" rel="noopener">
      {children}
    </a>
  )
}

/** `go('payments')` opens a page of the business. */
export function useGo(): (to: string, options?: { replace?: boolean }) => Promise<void> {
  const navigate = useNavigate()
  const { id } = useBusiness()
  return useCallback(
    (to, { replace = false } = {}) => {
      const [path = '', query] = to.split('?')
      const search = Object.fromEntries(new URLSearchParams(query))
      return navigate({ to: businessPath(id, path), search: search as never, replace })
    },
    [navigate, id],
  )
}

/** Returns a parameter of the page's path, such as `$id`. */
export function usePathParam(name: string): string {
  const params = useParams({ strict: false }) as Record<string, string | undefined>
  return params[name] ?? ''
}

/** Returns the query of the page's URL. */
export function useQueryOfPage(): Record<string, string> {
  return useRouterState({ select: ({ location }) => location.search as Record<string, string> })
}
