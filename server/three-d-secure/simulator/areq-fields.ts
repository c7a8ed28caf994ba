import { isIP } from 'node:net'
import type { MessageVersion } from '../three-ds-server.ts'
import type { Message } from './messages.ts'

// The fields of an authentication request (AReq) of the browser channel that the simulator checks. It ignores others,
// as the protocol requires.

interface Field {
  /** Whether the value has the field's format. */
  fits: (value: unknown, version: MessageVersion) => boolean
  /** Absent: optional. */
  isRequired?: (areq: Message, version: MessageVersion) => boolean
}

const ASCII = /^[\x20-\x7e]*$/

const always = () => true
const ofPayment = ({ messageCategory }: Message) => messageCategory === '01'
/** Version 2.1.0 has no field for a browser without scripts. */
const withScripts = ({ browserJavascriptEnabled }: Message, version: MessageVersion) =>
  version === '2.1.0' || browserJavascriptEnabled === true
const sinceVersion2_2 = (_: Message, version: MessageVersion) => version !== '2.1.0'
const isRepeated = ({ threeDSRequestorAuthenticationInd: reason }: Message) => reason === '02' || reason === '03'

const like = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
const text =
  (max: number, min = 1) =>
  (value: unknown) =>
    typeof value === 'string' && value.length >= min && value.length <= max && ASCII.test(value)
const isBoolean = (value: unknown) => typeof value === 'boolean'
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
/** Each of these fits, or is absent. */
const withMembers = (members: Record<string, (value: unknown) => boolean>) => (value: unknown) =>
  isObject(value) &&
  Object.entries(members).every(([name, fits]) => {
    const member = (value as Message)[name]
    return member === undefined || fits(member)
  })
const address = (max: number) => (value: unknown) =>
  text(max)(value) && URL.canParse(value as string) && /^https?:$/.test(new URL(value as string).protocol)
const ip = (value: unknown) => text(45)(value) && isIP(value as string) !== 0

/** 14 digits `YYYYMMDDHHMMSS` or 8 `YYYYMMDD` that are an instant or a day. */
const date = (digits: 8 | 14) => (value: unknown) => {
  if (typeof value !== 'string' || value.length !== digits || !/^\d+$/.test(value)) return false
  const [, year, month, day, hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d))?$/.exec(value) ?? []
  const instant = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(`${year}-${month}-${day}`)
}

function phone(value: unknown): boolean {
  const { cc, subscriber } = (isObject(value) ? value : {}) as Message
  return like(/^\d{1,3}$/)(cc) && like(/^\d{1,15}$/)(subscriber)
}

const CHALLENGE_PREFERENCE = /^(?:0[1-9]|1[0-4]|[89]\d)$/

/** Version 2.3.1 made it a list. */
function challengePreference(value: unknown, version: MessageVersion): boolean {
  if (version !== '2.3.1') return like(CHALLENGE_PREFERENCE)(value)
  return Array.isArray(value) && value.length > 0 && value.length <= 2 && value.every(like(CHALLENGE_PREFERENCE))
}

/** A tag such as `fr-CA`. */
function language(value: unknown, version: MessageVersion): boolean {
  return text(version === '2.3.1' ? 35 : 8)(value) && /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(value as string)
}

/** Version 2.3.1 has subscriptions without a fixed interval. */
function hasInterval(areq: Message, version: MessageVersion): boolean {
  if (version !== '2.3.1') return isRepeated(areq)
  const { frequencyInd } = (isObject(areq.recurringInd) ? areq.recurringInd : {}) as Message
  return areq.threeDSRequestorAuthenticationInd === '03' || frequencyInd === '01'
}

const required = (fits: Field['fits']): Field => ({ fits, isRequired: always })
const requiredIf = (isRequired: NonNullable<Field['isRequired']>, fits: Field['fits']): Field => ({ fits, isRequired })
const optional = (fits: Field['fits']): Field => ({ fits })

const addressFields = (kind: 'billAddr' | 'shipAddr'): Record<string, Field> => ({
  [`${kind}City`]: optional(text(50)),
  [`${kind}Country`]: requiredIf((areq) => areq[`${kind}State`] !== undefined, like(/^\d{3}$/)),
  [`${kind}Line1`]: optional(text(50)),
  [`${kind}Line2`]: optional(text(50)),
  [`${kind}Line3`]: optional(text(50)),
  [`${kind}PostCode`]: optional(text(16)),
  [`${kind}State`]: optional(like(/^[A-Za-z0-9]{1,3}$/)),
})

export const AREQ_FIELDS: Record<string, Field> = {
  messageType: required(like(/^AReq$/)),
  messageVersion: required(like(/^2\.(?:1\.0|2\.0|3\.1)$/)),
  messageCategory: required(like(/^0[12]$/)),
  deviceChannel: required(like(/^02$/)),
  threeDSServerTransID: required(like(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  threeDSCompInd: required(like(/^[YNU]$/)),
  threeDSRequestorAuthenticationInd: required(like(/^(?:0[1-9]|10|[89]\d)$/)),
  threeDSRequestorChallengeInd: optional(challengePreference),
  threeDSRequestorURL: required(address(2048)),
  notificationURL: required(address(256)),

  acctNumber: required(like(/^\d{13,19}$/)),
  cardExpiryDate: optional(like(/^\d\d(?:0[1-9]|1[0-2])$/)),
  cardholderName: optional(text(45, 2)),
  acctType: optional(like(/^(?:0[1-3]|[89]\d)$/)),
  acctID: optional(text(64)),
  acctInfo: optional(
    withMembers({
      chAccDate: date(8),
      chAccAgeInd: like(/^0[1-5]$/),
      nbPurchaseAccount: like(/^\d{1,4}$/),
      txnActivityDay: like(/^\d{1,3}$/),
      txnActivityYear: like(/^\d{1,3}$/),
      paymentAccAge: date(8),
      paymentAccInd: like(/^0[1-5]$/),
    }),
  ),

  acquirerBIN: requiredIf(ofPayment, text(11)),
  acquirerMerchantID: requiredIf(ofPayment, text(35)),
  mcc: requiredIf(ofPayment, like(/^\d{4}$/)),
  merchantCountryCode: requiredIf(ofPayment, like(/^\d{3}$/)),
  merchantName: requiredIf(ofPayment, text(40)),
  merchantRiskIndicator: optional(withMembers({ shipIndicator: like(/^0[1-7]$/) })),

  purchaseAmount: requiredIf((areq) => ofPayment(areq) || isRepeated(areq), like(/^\d{1,48}$/)),
  purchaseCurrency: requiredIf((areq) => ofPayment(areq) || isRepeated(areq), like(/^\d{3}$/)),
  purchaseExponent: requiredIf((areq) => ofPayment(areq) || isRepeated(areq), like(/^\d$/)),
  purchaseDate: requiredIf((areq) => ofPayment(areq) || isRepeated(areq), date(14)),
  purchaseInstalData: requiredIf(
    (areq) => areq.threeDSRequestorAuthenticationInd === '03',
    (value) => like(/^\d{1,3}$/)(value) && Number(value) > 1,
  ),
  recurringExpiry: requiredIf((areq, version) => isRepeated(areq) && version !== '2.3.1', date(8)),
  recurringFrequency: requiredIf(hasInterval, like(/^\d{1,4}$/)),
  recurringInd: optional(isObject),
  recurringDate: optional(date(8)),
  transType: optional(like(/^(?:01|03|10|11|28)$/)),

  browserAcceptHeader: required(text(2048)),
  browserIP: optional(ip),
  browserJavascriptEnabled: requiredIf(sinceVersion2_2, isBoolean),
  browserJavaEnabled: requiredIf(withScripts, isBoolean),
  browserLanguage: required(language),
  browserColorDepth: requiredIf(withScripts, like(/^(?:1|4|8|15|16|24|32|48)$/)),
  browserScreenHeight: requiredIf(withScripts, like(/^\d{1,6}$/)),
  browserScreenWidth: requiredIf(withScripts, like(/^\d{1,6}$/)),
  browserTZ: requiredIf(withScripts, like(/^[+-]?\d{1,4}$/)),
  browserUserAgent: required(text(2048)),

  email: optional((value) => text(254)(value) && /^[^\s@]+@[^\s@]+$/.test(value as string)),
  homePhone: optional(phone),
  mobilePhone: optional(phone),
  workPhone: optional(phone),
  addrMatch: optional(like(/^[YN]$/)),
  ...addressFields('billAddr'),
  ...addressFields('shipAddr'),
}
