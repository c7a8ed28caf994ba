import { useCallback } from 'react'
import type { BodyOf, EndpointName, QueryOf, ResponseOf } from '../../contract/dashboard/dashboard-api.ts'
import { useBusiness } from './me.ts'
import { type Request, send } from './transport.ts'

export { CallError } from './call-error.ts'

/** Arguments of a call: parameters of its path, and what its endpoint declares. */
export type CallOptions<Name extends EndpointName> = Pick<Request, 'key' | 'background' | 'signal'> &
  (Name extends `${string}{${string}` ? { params: Record<string, string> } : { params?: Record<string, string> }) &
  (undefined extends QueryOf<Name> ? { query?: undefined } : { query?: QueryOf<Name> }) &
  (undefined extends BodyOf<Name> ? { body?: undefined } : { body: BodyOf<Name> })

/** Arguments, which may be omitted if the call needs none. */
export type CallArguments<Name extends EndpointName> =
  Record<never, never> extends CallOptions<Name> ? [options?: CallOptions<Name>] : [options: CallOptions<Name>]

export type Call = <Name extends EndpointName>(name: Name, ...options: CallArguments<Name>) => Promise<ResponseOf<Name>>

/**
 * Returns a function that calls the API of the page's business. If sign-in or step-up is needed, a dialog asks for it,
 * and then the call is repeated.
 *
 * @throws CallError
 */
export function useCall(): Call {
  const { id } = useBusiness()
  return useCallback<Call>((name, ...[options]) => callIn(id, name, options as AnyOptions), [id])
}

/** `download('POST /payments/export', { body }, 'payments.csv')`: the browser saves the response as a file. */
export function useDownload(): <Name extends EndpointName>(
  name: Name,
  options: CallOptions<Name>,
  fileName: string,
) => Promise<void> {
  const { id } = useBusiness()
  return useCallback(
    async (name, options, fileName) => {
      const file: unknown = await callIn(id, name, { ...(options as AnyOptions), isFile: true })
      saveFile(file as Blob, fileName)
    },
    [id],
  )
}

function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), SAVED_MS)
}

const SAVED_MS = 60_000

type AnyOptions = Request & { params?: Record<string, string> }

export async function callIn<Name extends EndpointName>(
  businessId: string,
  name: Name,
  { params = {}, ...request }: AnyOptions = {},
): Promise<ResponseOf<Name>> {
  const [method = 'GET', pattern = ''] = name.split(' ')
  return (await send(method, pathIn(businessId, pattern, params), request)) as ResponseOf<Name>
}

/** Returns the URL path of `/payments/{id}` in the API of a business. */
export function pathIn(businessId: string, pattern: string, params: Record<string, string> = {}): string {
  const path = pattern.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''))
  return `/dashboard/api/b/${businessId}${path}`
}
