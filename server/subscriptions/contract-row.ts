import type { Contract } from './contract.ts'

/** Row of `contract` as JSON, with instants as text. */
export interface ContractJson {
  business_id: string
  id: string
  customer_id: string
  status: Contract['status']
  title: string
  body: string
  signed_name: string | null
  signed_ip: string | null
  signed_at: string | null
  team_seen_there: boolean | null
  created_at: string
}

export function contractFrom(row: ContractJson): Contract {
  const { signed_name: name, signed_ip: ip, signed_at: at, team_seen_there: teamSeenThere } = row
  return {
    businessId: row.business_id,
    id: row.id,
    customerId: row.customer_id,
    status: row.status,
    title: row.title,
    text: row.body,
    signature: name === null || ip === null || at === null ? null : { name, ip, at: new Date(at), teamSeenThere },
    createdAt: new Date(row.created_at),
  }
}
