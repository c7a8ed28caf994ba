// Names of outcomes at the gateway and in the ledger. The dashboard has a text for each, in every language.

export const RESULT_CODES = ['AA', 'ND', 'NC', 'NF', 'NR', 'N7', 'AP', 'AC'] as const
export type ResultCode = (typeof RESULT_CODES)[number]

export const OPERATION_STATES = [
  'SENT',
  'IN_DOUBT',
  'REVERSING',
  'APPROVED',
  'DECLINED',
  'NOT_SENT',
  'NOT_CHARGED',
  'REVERSED',
] as const
export type OperationState = (typeof OPERATION_STATES)[number]

/** States of a transaction in the gateway's own list. */
export const TRANSACTION_STATES = ['approved', 'partial', 'declined', 'voided', 'refunded'] as const
export type TransactionState = (typeof TRANSACTION_STATES)[number]

/** Results of the issuer's checks of the address and of the security code. Networks use more letters than these. */
export const ADDRESS_CHECKS = ['Y', 'A', 'Z', 'N', 'U'] as const
export const CODE_CHECKS = ['M', 'N', 'P'] as const

export type GatewayWord =
  | ResultCode
  | OperationState
  | `gateway_${TransactionState}`
  | `avs_${(typeof ADDRESS_CHECKS)[number]}`
  | `cvv_${(typeof CODE_CHECKS)[number]}`
