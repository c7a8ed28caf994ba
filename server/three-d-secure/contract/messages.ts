import type { ChallengeInquiry } from '../three-ds-server.ts'
import { deadline, ORDINARY_CARD } from './requests.ts'

// Responses of a 3-D Secure server, which the tests of the adapter change.

export const SERVER = '3f1ed47a-2edc-4b0e-a4cf-bdb0f65d48c6'
export const ACS = '43163cd0-c849-4924-82c1-7bec32b94881'
export const DS = '1cf815e5-cc85-436f-8e13-9f5e5aea731f'
export const VALUE = '1qjyGT2+HSxGuPg9YrCLSXc/J0s='

export const CRD = {
  messageType: 'CRD',
  threeDSServerTransID: SERVER,
  acsStartProtocolVersion: '2.1.0',
  acsEndProtocolVersion: '2.2.0',
  dsStartProtocolVersion: '2.1.0',
  dsEndProtocolVersion: '2.3.1',
}
export const ARES = {
  messageType: 'ARes',
  messageVersion: '2.2.0',
  threeDSServerTransID: SERVER,
  acsTransID: ACS,
  dsTransID: DS,
  transStatus: 'Y',
  eci: '05',
  authenticationValue: VALUE,
}
export const CHALLENGE = {
  ...ARES,
  transStatus: 'C',
  eci: undefined,
  authenticationValue: undefined,
  acsURL: 'https://acs.example/c',
}
export const RREQ = { ...ARES, messageType: 'RReq', messageCategory: '01' }
export const ERRO = {
  messageType: 'Erro',
  messageVersion: '2.2.0',
  errorCode: '203',
  errorComponent: 'D',
  errorDescription: `wrong: ${ORDINARY_CARD}`,
  errorDetail: `billAddrState, acctNumber ${ORDINARY_CARD}`,
}
export const PENDING = { ...ERRO, errorComponent: 'S', errorDetail: 'Unknown threeDSServerTransID' }

/** Returns an inquiry about the challenge that results in `RREQ`. */
export const challengeInquiry = (change: Pick<Partial<ChallengeInquiry>, 'reason'> = {}): ChallengeInquiry => ({
  serverTransactionId: SERVER,
  acsTransactionId: ACS,
  messageVersion: '2.2.0',
  reason: 'payment',
  signal: deadline(),
  ...change,
})
