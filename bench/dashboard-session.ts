import type { Target } from './processes.ts'

/** A person who is signed in. */
export interface DashboardSession {
  url: string
  businessId: string
  headers: Record<string, string>
}

/** Signs in with the link that a start prints. */
export async function signIn({ businessId, dashboardUrl: url, signInCode: code }: Target): Promise<DashboardSession> {
  const headers = { 'sec-fetch-site': 'same-origin', origin: url, 'content-type': 'application/json' }
  const path = `${url}/dashboard/auth/set-up/sign-in`
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ code }) })
  const [cookie = ''] = response.headers.get('set-cookie')?.split(';') ?? []
  const { csrf_token: csrf } = (await response.json()) as { csrf_token: string }
  if (!cookie || !csrf) throw new Error(`Nobody was signed in: ${response.status}`)
  return { url, businessId, headers: { ...headers, cookie, 'x-csrf-token': csrf } }
}
