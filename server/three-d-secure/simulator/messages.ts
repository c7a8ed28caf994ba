import { createHash } from 'node:crypto'
import type { MessageVersion } from '../three-ds-server.ts'

/** Message of the protocol as JSON. */
export type Message = Record<string, unknown>

/**
 * Error of a component: the 3-D Secure server (S), the directory server (D) or the bank's access control server (A).
 */
export interface ProtocolError {
  code: string
  component: 'S' | 'D' | 'A'
  description: string
  detail: string
}

/** @param about known data of the transaction: `threeDSServerTransID`, `messageVersion`, `errorMessageType` */
export function erro({ code, component, description, detail }: ProtocolError, about: Message = {}): Message {
  return {
    messageType: 'Erro',
    messageVersion: '2.2.0',
    errorCode: code,
    errorComponent: component,
    errorDescription: description,
    errorDetail: detail,
    ...about,
  }
}

const MASTERCARD = /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/

const ECI: Record<string, { mastercard: string; other: string }> = {
  Y: { mastercard: '02', other: '05' },
  A: { mastercard: '01', other: '06' },
  N: { mastercard: '00', other: '07' },
  U: { mastercard: '00', other: '07' },
  I: { mastercard: '00', other: '07' },
}

/** Reasons why there is no proof: authentication failed, suspected fraud, timed out at the bank. */
const REASONS: Record<string, string> = { N: '01', R: '11', U: '14' }

interface Decision {
  transStatus: string
  /** Replaces the usual reason. */
  reason?: string | undefined
  number: string
  acsTransactionId: string
}

/** Returns the part of a result that is the same in an ARes and an RReq. */
export function verdict({ transStatus, reason = REASONS[transStatus], number, acsTransactionId }: Decision): Message {
  const eci = ECI[transStatus]?.[MASTERCARD.test(number) ? 'mastercard' : 'other']
  return {
    transStatus,
    ...(reason !== undefined && { transStatusReason: reason }),
    ...(eci !== undefined && { eci }),
    ...('YA'.includes(transStatus) && { authenticationValue: authenticationValue(acsTransactionId) }),
  }
}

/** Returns 20 bytes in base64; always the same for a transaction. */
function authenticationValue(acsTransactionId: string): string {
  return createHash('sha256')
    .update(`authentication value of ${acsTransactionId}`)
    .digest()
    .subarray(0, 20)
    .toString('base64')
}

/** Returns the method of the challenge, a code by text message. Version 2.3.1 renamed the field. */
export function challengedBy(version: MessageVersion): Message {
  return version === '2.3.1' ? { authenticationMethod: '02' } : { authenticationType: '02' }
}
