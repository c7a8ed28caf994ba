import { randomBytes } from 'node:crypto'
import type { Role } from '../../contract/permissions.ts'
import { csrfToken, setSessionCookie } from '../../server/access/sessions/session-cookie.ts'
import { newId } from '../../server/lib/ids.ts'
import { type Response, send } from './merchant.ts'
import type { TestService } from './service.ts'

/** Calls of a signed-in person's browser. */
export interface DashboardClient {
  userId: string
  email: string
  sessionId: string
  /** The value of the `Cookie` header. */
  cookie: string
  csrf: string
  /** @param name `GET /products`, below the demo business; a name that begins with /dashboard is used as it is */
  call(name: string, options?: DashboardCallOptions): Promise<Response>
}

interface DashboardCallOptions {
  query?: Record<string, string | number | boolean>
  body?: unknown
  headers?: Record<string, string>
  /** Value of `Idempotency-Key`; a new one for each call by default. */
  key?: string
  businessId?: string
  /** A different process of the service. */
  on?: Pick<TestService, 'formUrl'>
}

interface SignIn {
  role?: Role
  businessId?: string
  proof?: 'password' | 'second_factor' | 'passkey'
  /** Whether the person has recently stepped up. */
  isSteppedUp?: boolean
}

/** Creates a person with this role in the demo business, and a session for them, without the sign-in pages. */
export async function signIn(service: TestService, options: SignIn = {}): Promise<DashboardClient> {
  const {
    role = 'owner',
    businessId = service.demo.business_id,
    proof = 'second_factor',
    isSteppedUp = false,
  } = options
  const { db, keyring, clock } = service.app.services
  const now = clock.now()
  const [userId, sessionId, token] = [newId(), newId(), randomBytes(24).toString('base64url')]
  const email = `${role}-${userId.slice(-12)}@shop.example`
  const times = { created_at: now, updated_at: now }
  await db
    .insertInto('auth_user')
    .values({ id: userId, email, name: `The ${role}`, ...times })
    .execute()
  await db
    .insertInto('business_member')
    .values({ business_id: businessId, user_id: userId, role, created_at: now })
    .execute()
  await db
    .insertInto('auth_session')
    .values({
      id: sessionId,
      user_id: userId,
      token,
      expires_at: new Date(now.getTime() + 43_200_000),
      proof,
      last_seen_at: now,
      stepped_up_at: isSteppedUp ? now : null,
      ...times,
    })
    .execute()
  const [cookie = ''] = setSessionCookie(keyring, service.formUrl, token).split(';')
  const csrf = csrfToken(keyring, sessionId)
  return { userId, email, sessionId, cookie, csrf, call: caller(service, { cookie, csrf, businessId }) }
}

function caller(
  service: TestService,
  { cookie, csrf, businessId }: { cookie: string; csrf: string; businessId: string },
) {
  return (name: string, options: DashboardCallOptions = {}): Promise<Response> => {
    const [method = 'GET', path = ''] = name.split(' ')
    const { query = {}, body, headers = {}, key = newId(), on: { formUrl } = service } = options
    const below = path.startsWith('/dashboard') ? path : `/dashboard/api/b/${options.businessId ?? businessId}${path}`
    const search = new URLSearchParams(Object.entries(query).map(([member, value]) => [member, String(value)]))
    const isWrite = method !== 'GET'
    return send(`${formUrl}${below}${search.size > 0 ? `?${search}` : ''}`, {
      method,
      headers: {
        cookie,
        'sec-fetch-site': 'same-origin',
        ...(isWrite && { origin: formUrl, 'x-csrf-token': csrf, 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }
}

/** Simulates that the process of a call has ended after its work and before its response. */
export async function loseResponse({ app }: TestService, key: string): Promise<void> {
  const lost = { status: null, response: null }
  await app.services.db.updateTable('dashboard_request').set(lost).where('key', '=', key).execute()
}
