import type { AuditEntry } from '../audit/audit.ts'
import { isUuid } from '../lib/ids.ts'
import type { DashboardCall } from './dashboard-call.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

const PREFIX = '/dashboard/api/b/{business_id}'

/** Splits a name such as `POST /payments/{id}/refunds` into its method and its path below that of a business. */
export function addressOf(name: string): { method: Method; path: string } {
  const [method, path] = name.split(' ')
  return { method: method as Method, path: `${PREFIX}${path}` }
}

/**
 * Returns the object in the path of a refused call, whichever business it belongs to. Its id is written only if it has
 * the form of an id, because callers can send anything.
 */
export function refusedOf(name: string, action: AuditEntry['action'], { params: { id = '' } }: DashboardCall) {
  const [, nouns = ''] = name.split('/')
  const type = nouns.replace(/(ch|s)es$/, '$1').replace(/([^s])s$/, '$1')
  return { action, object: isUuid(id) ? { type, id } : null }
}
