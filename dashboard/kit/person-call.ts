import type { EntryApi } from '../../contract/dashboard/entry-api.ts'
import { type Request, send, setCsrfToken } from './transport.ts'

// Calls about a person; their names are complete paths.

type EntryName = keyof EntryApi
type EntryResponse<Name extends EntryName> = EntryApi[Name]['response']
type EntryBody<Name extends EntryName> = EntryApi[Name] extends { body: infer Body } ? Body : undefined

interface PersonOptions<Name extends EntryName> extends Pick<Request, 'key' | 'isEntry' | 'signInAs'> {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: EntryBody<Name>
}

/**
 * Calls about the person who is signed in, or who is signing in. A new session brings a new CSRF token.
 *
 * @throws CallError
 */
export async function personCall<Name extends EntryName>(
  name: Name,
  { params = {}, ...request }: PersonOptions<Name> = {},
): Promise<EntryResponse<Name>> {
  const [method = 'GET', pattern = ''] = name.split(' ')
  const path = pattern.replace(/\{(\w+)\}/g, (_whole, member: string) => encodeURIComponent(params[member] ?? ''))
  const body = method === 'POST' ? (request.body ?? {}) : request.body
  const response = await send(method, path, { ...request, body })
  const token = (response as { csrf_token?: string | null } | null)?.csrf_token
  if (token) setCsrfToken(token)
  return response as EntryResponse<Name>
}
