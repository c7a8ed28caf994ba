import { isActive } from './activity.ts'
import { takeBegun } from './begun.ts'
import { CallError } from './call-error.ts'
import { inPageLanguage } from './field-texts/field-texts.ts'
import { demand } from './gate.ts'

// Every call of the pages goes through here. If sign-in or step-up is missing, a dialog asks for it; then the same call
// is repeated, with the same key (DSH-32).

export interface Request {
  query?: Record<string, unknown> | undefined
  body?: unknown
  /** Value of `Idempotency-Key`, one per intended change; a new one by default. */
  key?: string | undefined
  /** Whether the page makes the call automatically. */
  background?: boolean | undefined
  signal?: AbortSignal | undefined
  /** Whether the response is a file. */
  isFile?: boolean | undefined
  /** Whether the call is part of signing in, so that its refusals do not open a dialog. */
  isEntry?: boolean | undefined
  /** E-mail address for the sign-in dialog; by default the address of the session that has ended. */
  signInAs?: string | undefined
}

let csrf: string | null = null
let refreshSession: () => Promise<unknown> = async () => {}
let lastTouch = Date.now()

export function setCsrfToken(token: string): void {
  csrf = token
}

/** @param refresh reads the session again after the person has signed in */
export function setSessionRefresh(refresh: () => Promise<unknown>): void {
  refreshSession = refresh
}

/** Time of the last call that kept the session alive. */
export const lastTouchAt = (): number => lastTouch

/** @throws CallError */
export async function send(method: string, path: string, request: Request = {}): Promise<unknown> {
  const key = request.key ?? crypto.randomUUID()
  for (;;) {
    try {
      return await sendOnce(method, path, { ...request, key })
    } catch (error) {
      if (!(error instanceof CallError) || request.isEntry || !(await isOvercome(error, request))) throw error
    }
  }
}

async function isOvercome({ code, extra }: CallError, { signInAs: email }: Request): Promise<boolean> {
  if (code === 'signed_out') return (await demand({ kind: 'signIn', email })) && refreshed()
  if (code === 'second_factor_required') return (await demand({ kind: 'secondFactor' })) && refreshed()
  if (code !== 'step_up_required') return false
  const { reason, methods } = extra as { reason?: string; methods?: string[] }
  // Step-up changes the id of the session, and so the token.
  return (await demand({ kind: 'stepUp', reason: reason ?? null, methods: methods ?? [] })) && refreshed()
}

async function refreshed(): Promise<true> {
  await refreshSession()
  return true
}

async function sendOnce(method: string, path: string, request: Request): Promise<unknown> {
  const response = await fetched(`${path}${searchOf(request.query)}`, {
    method,
    headers: headersOf(method, request),
    credentials: 'same-origin',
    ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    ...(request.signal && { signal: request.signal }),
  })
  if (response.ok && request.isFile) return response.blob()
  const body = await bodyOf(response)
  if (response.ok) return body
  const error = (body as { error?: Record<string, unknown> } | null)?.error ?? {}
  const refusal = new CallError(response.status, error, numberOf(response.headers.get('retry-after')))
  refusal.errors = await inPageLanguage(refusal.errors)
  throw refusal
}

function headersOf(method: string, { body, key, background, isFile }: Request): Record<string, string> {
  const isBackground = background === true || !isActive()
  if (!isBackground) lastTouch = Date.now()
  return {
    accept: isFile ? '*/*' : 'application/json',
    ...(isBackground && { 'x-background': '1' }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(method !== 'GET' && key !== undefined && { 'idempotency-key': key }),
    ...(method !== 'GET' && csrf !== null && { 'x-csrf-token': csrf }),
  }
}

async function fetched(url: string, init: RequestInit): Promise<Response> {
  try {
    return (await takeBegun(url)) ?? (await fetch(url, init))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new CallError(0, { code: 'no_response', message: '' })
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text().catch(() => '')
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return null
  }
}

const numberOf = (text: string | null) => (text === null || Number.isNaN(Number(text)) ? null : Number(text))

export function searchOf(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  return search.size > 0 ? `?${search}` : ''
}
