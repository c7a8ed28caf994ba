import { Link, useNavigate, useParams, useRouterState } from '@tanstack/react-router'
import { type ComponentPropsWithoutRef, type ReactNode, useCallback } from 'react'
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
