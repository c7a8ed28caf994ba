import Type, { type Static } from 'typebox'
import { EpochSeconds, Uuid } from './formats.ts'

/** Who a secret key belongs to (API-13). */
const Account = Type.Object(
  {
    object: Type.Literal('account'),
    business_id: Uuid(),
    business_name: Type.String(),
    api_key_id: Uuid(),
    api_key_name: Type.String(),
    api_key_last_four: Type.String({ minLength: 4, maxLength: 4 }),
    created: EpochSeconds(),
  },
  { title: 'Account' },
)

export const AccountResponse = Type.Object({ data: Account }, { title: 'AccountResponse' })
export type AccountResponse = Static<typeof AccountResponse>
