import type { AuditEntry } from '../audit/audit.ts'
import { isUuid } from '../lib/ids.ts'
import type { DashboardCall } from './dashboard-call.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

const PREFIX = '/dashboard/api/b/{business_id}'

/** `POST /payments/{id}/refunds`, below the path of a business. */
export function addressOf(name: string): { method: Method; path: string } {
  const [method, path] = name.split(' ')
  return { method: method as Method, path: `${PREFIX}${path}` }
}

/**
 * The object of the path, whichever business it may be of. Its id is written only when it is one: anything can be sent.
 */
export function refusedOf(name: string, action: AuditEntry['action'], { params: { id = '' } }: DashboardCall) {
  const [, nouns = ''] = name.split('/')
  const type = nouns.replace(/(ch|s)es$/, '$1').replace(/([^s])s$/, '$1')
  return { action, object: isUuid(id) ? { type, id } : null }
}
