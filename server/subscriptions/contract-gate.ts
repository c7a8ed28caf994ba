import type { Db } from '../db/connection.ts'
import { ApiError } from '../lib/errors.ts'
import type { Subscription } from './subscription.ts'

/** Whether the contract of a subscription is signed; plugged in by sign-up. */
export type IsContractSigned = (db: Db, contract: { businessId: string; contractId: string }) => Promise<boolean>

/**
 * @param isContractSigned without it every contract counts as signed
 * @throws ApiError `contract_unsigned`
 * @see SUB-7
 */
export async function requireSigned(
  { db, isContractSigned }: { db: Db; isContractSigned?: IsContractSigned },
  { businessId, contractId }: Pick<Subscription, 'businessId' | 'contractId'>,
): Promise<void> {
  if (contractId === null || !isContractSigned) return
  if (!(await isContractSigned(db, { businessId, contractId })))
    throw new ApiError('contract_unsigned', { message: 'The contract of the subscription is not signed yet.' })
}
