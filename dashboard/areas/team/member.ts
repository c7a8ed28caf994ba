import type { ResponseOf } from '../../../contract/dashboard/dashboard-api.ts'

export type Member = ResponseOf<'GET /team'>['data'][number]
