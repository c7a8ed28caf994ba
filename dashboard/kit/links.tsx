import { Link, useNavigate, useParams, useRouter, useRouterState } from '@tanstack/react-router'
import { type ComponentPropsWithoutRef, type MouseEvent, type ReactNode, useCallback } from 'react'
import { useBusiness } from './me.ts'

interface AppLinkProps extends Omit<ComponentPropsWithoutRef<'a'>, 'href'> {
  /** Within the business: `payments/${id}`, with a query if need be. */
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

/** The same for the rows of a table: a link of the router takes much longer to render, and there are a hundred. */
export function RowLink({ to, children }: Pick<AppLinkProps, 'to' | 'children'>) {
  const router = useRouter()
  const target = () => {
    const [path = '', query] = to.split('?')
    return { to: path, search: Object.fromEntries(new URLSearchParams(query)) as never }
  }
  const preload = () => void router.preloadRoute(target()).catch(() => undefined)
  const open = (event: MouseEvent) => {
    const { button, metaKey, altKey, ctrlKey, shiftKey } = event
    // The browser opens it elsewhere.
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
  /** A part of the API reference: `tag/customers`. Its beginning unless given. */
  part?: string
  children: ReactNode
}

/** The API reference, in a tab of its own. */
export function HelpLink({ part, children, ...rest }: HelpLinkProps) {
  const reference = `${document.documentElement.dataset.api ?? ''}/docs`
  return (
    <a {...rest} href={part ? `${reference}#${part}` : reference} target="_blank" rel="noopener">
      {children}
    </a>
  )
}

/** `go('payments')`: opens a page of the business. */
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

/** `$id` of the page's path. */
export function usePathParam(name: string): string {
  const params = useParams({ strict: false }) as Record<string, string | undefined>
  return params[name] ?? ''
}

/** The query of the page's address. */
export function useQueryOfPage(): Record<string, string> {
  return useRouterState({ select: ({ location }) => location.search as Record<string, string> })
}
