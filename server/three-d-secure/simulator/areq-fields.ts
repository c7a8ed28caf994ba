import { isIP } from 'node:net'
import type { MessageVersion } from '../three-ds-server.ts'
import type { Message } from './messages.ts'

// Fields of an authentication request (AReq) of the browser channel in each version, according to the reference of
// 3dsecure.io, whether or not Rialto sends them: https://docs.3dsecure.io/3dsv2/specification_231.html and the
// neighboring pages.

interface Field {
  /** Whether the value has the field's format. */
  fits: (value: unknown, version: MessageVersion) => boolean
  /** Absent if the field is optional. */
  isRequired?: (areq: Message, version: MessageVersion) => boolean
  /** Versions that have the field; all if absent. */
  versions?: readonly MessageVersion[]
}

const ASCII = /^[\x20-\x7e]*$/

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]']

const SINCE_2_2: readonly MessageVersion[] = ['2.2.0', '2.3.1']
const ONLY_2_2: readonly MessageVersion[] = ['2.2.0']
const SINCE_2_3_1: readonly MessageVersion[] = ['2.3.1']

const always = () => true
const ofPayment = ({ messageCategory }: Message) => messageCategory === '01'
/** Version 2.1.0 has no field for a browser without scripts. */
const withScripts = ({ browserJavascriptEnabled }: Message, version: MessageVersion) =>
  version === '2.1.0' || browserJavascriptEnabled === true
const isRepeated = ({ threeDSRequestorAuthenticationInd: reason }: Message) => reason === '02' || reason === '03'
const isPresent = (name: string) => (areq: Message) => areq[name] !== undefined
/**
 * Whether the fields of a purchase are required: for payments, for anything recurring, and since version 2.3.1 for
 * split and delayed shipments.
 */
const withPurchase = (areq: Message, version: MessageVersion) =>
  ofPayment(areq) ||
  isRepeated(areq) ||
  (version === '2.3.1' && /^0[789]$/.test(String(areq.threeDSRequestorAuthenticationInd)))

const like = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
const text =
  (max: number, min = 1) =>
  (value: unknown) =>
    typeof value === 'string' && value.length >= min && value.length <= max && ASCII.test(value)
const isBoolean = (value: unknown) => typeof value === 'boolean'
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (fits: (value: unknown) => boolean, max: number) => (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.length <= max && value.every((one) => fits(one))
/** JSON of which the reference limits only the length. */
const json = (max: number) => (value: unknown) => JSON.stringify(value).length <= max
/** Every member must fit, and no others are allowed. */
const withMembers = (members: Record<string, (value: unknown) => boolean>) => (value: unknown) =>
  isObject(value) && Object.entries(value as Message).every(([name, member]) => members[name]?.(member) ?? false)
const ip = (value: unknown) => text(45)(value) && isIP(value as string) !== 0
const email = (value: unknown) => text(254)(value) && /^[^\s@]+@[^\s@]+$/.test(value as string)

/** Since version 2.3.1, HTTPS is required. Without it, only the browser's own machine is trusted, for staging. */
const address = (max: number) => (value: unknown, version: MessageVersion) => {
  if (!text(max)(value) || !URL.canParse(value as string)) return false
  const { protocol, hostname } = new URL(value as string)
  if (protocol === 'https:') return true
  return protocol === 'http:' && (version !== '2.3.1' || LOOPBACK_HOSTS.includes(hostname))
}

/** 14 digits `YYYYMMDDHHMMSS`, 12 without seconds, or 8 `YYYYMMDD`, that form a valid instant or day. */
const date = (digits: 8 | 12 | 14) => (value: unknown) => {
  if (typeof value !== 'string' || value.length !== digits || !/^\d+$/.test(value)) return false
  const [, year, month, day, hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?$/.exec(value) ?? []
  const instant = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(`${year}-${month}-${day}`)
}

function phone(value: unknown): boolean {
  const { cc, subscriber } = (isObject(value) ? value : {}) as Message
  return like(/^\d{1,3}$/)(cc) && like(/^\d{1,12}$/)(subscriber) && Object.keys(value as object).length === 2
}

const REASONS: Record<MessageVersion, RegExp> = {
  '2.1.0': /^(?:0[1-6]|[89]\d)$/,
  '2.2.0': /^(?:0[1-7]|[89]\d)$/,
  '2.3.1': /^(?:0[1-9]|10|[89]\d)$/,
}
const PREFERENCES: Record<MessageVersion, RegExp> = {
  '2.1.0': /^(?:0[1-4]|[89]\d)$/,
  '2.2.0': /^(?:0[1-9]|[89]\d)$/,
  '2.3.1': /^(?:0[1-9]|1[0-5]|[89]\d)$/,
}

/** A list since version 2.3.1. */
function challengePreference(value: unknown, version: MessageVersion): boolean {
  const fits = like(PREFERENCES[version])
  return version === '2.3.1' ? listOf(fits, 2)(value) : fits(value)
}

/** A list of objects since version 2.3.1, a single object before. */
const objectOrList = (value: unknown, version: MessageVersion) =>
  version === '2.3.1' ? listOf(isObject, 3)(value) : isObject(value)

/** Language tag such as `fr-CA`. */
const language = (max: number) => (value: unknown) =>
  text(max)(value) && /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(value as string)

const indicator = (areq: Message, name: string) =>
  ((isObject(areq.recurringInd) ? areq.recurringInd : {}) as Message)[name]
/** Version 2.3.1 has subscriptions without a fixed interval. */
const hasInterval = (areq: Message, version: MessageVersion) =>
  version === '2.3.1' ? indicator(areq, 'frequencyInd') === '01' : isRepeated(areq)

const required = (fits: Field['fits']): Field => ({ fits, isRequired: always })
const requiredIf = (isRequired: NonNullable<Field['isRequired']>, fits: Field['fits']): Field => ({ fits, isRequired })
const optional = (fits: Field['fits']): Field => ({ fits })
const in2_2 = (field: Field): Field => ({ ...field, versions: ONLY_2_2 })
const since2_2 = (field: Field): Field => ({ ...field, versions: SINCE_2_2 })
const since2_3_1 = (field: Field): Field => ({ ...field, versions: SINCE_2_3_1 })

const addressFields = (kind: 'billAddr' | 'shipAddr'): Record<string, Field> => ({
  [`${kind}City`]: optional(text(50)),
  [`${kind}Country`]: requiredIf(isPresent(`${kind}State`), like(/^\d{3}$/)),
  [`${kind}Line1`]: optional(text(50)),
  [`${kind}Line2`]: optional(text(50)),
  [`${kind}Line3`]: optional(text(50)),
  [`${kind}PostCode`]: optional(text(16)),
  [`${kind}State`]: optional(like(/^[A-Za-z0-9]{1,3}$/)),
})

const accountMembers = {
  chAccAgeInd: like(/^0[1-5]$/),
  chAccChange: date(8),
  chAccChangeInd: like(/^0[1-4]$/),
  chAccDate: date(8),
  chAccPwChange: date(8),
  chAccPwChangeInd: like(/^0[1-5]$/),
  chAccReqID: text(64),
  nbPurchaseAccount: like(/^\d{1,4}$/),
  paymentAccAge: date(8),
  paymentAccInd: like(/^0[1-5]$/),
  provisionAttemptsDay: like(/^\d{1,3}$/),
  shipAddressUsage: date(8),
  shipAddressUsageInd: like(/^0[1-4]$/),
  shipNameIndicator: like(/^0[12]$/),
  suspiciousAccActivity: like(/^0[12]$/),
  txnActivityDay: like(/^\d{1,3}$/),
  txnActivityYear: like(/^\d{1,3}$/),
}

const riskMembers = {
  deliveryEmailAddress: email,
  deliveryTimeframe: like(/^0[1-4]$/),
  giftCardAmount: like(/^\d{0,15}$/),
  giftCardCount: like(/^\d{2}$/),
  giftCardCurr: like(/^\d{3}$/),
  preOrderDate: date(8),
  preOrderPurchaseInd: like(/^0[12]$/),
  reorderItemsInd: like(/^0[12]$/),
  shipIndicator: like(/^0[1-9]$/),
  transChar: listOf(like(/^0[12]$/), 2),
}

const AREQ_FIELDS: Record<string, Field> = {
  messageType: required(like(/^AReq$/)),
  messageVersion: required(like(/^2\.(?:1\.0|2\.0|3\.1)$/)),
  messageCategory: required(like(/^0[12]$/)),
  messageExtension: optional((value, version) => listOf(isObject, version === '2.3.1' ? 15 : 10)(value)),
  deviceChannel: required(like(/^02$/)),
  ds: optional(like(/^(?:standin|visa|mastercard|jcb|amex|protectbuy|sbn)$/)),
  threeDSServerTransID: required(like(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  threeDSCompInd: required(like(/^[YNU]$/)),
  threeDSMethodId: since2_3_1(optional(like(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))),
  threeDSReqAuthMethodInd: since2_2(optional(like(/^(?:0[1-9]|10|[89]\d)$/))),
  threeDSRequestorAuthenticationInd: required((value, version) => like(REASONS[version])(value)),
  threeDSRequestorAuthenticationInfo: optional(objectOrList),
  threeDSRequestorChallengeInd: optional(challengePreference),
  threeDSRequestorDecMaxTime: since2_2(
    requiredIf(
      ({ threeDSRequestorDecReqInd: asked }) => asked !== undefined && asked !== 'N',
      (value) => like(/^\d{5}$/)(value) && Number(value) >= 1 && Number(value) <= 10_080,
    ),
  ),
  threeDSRequestorDecReqInd: since2_2(
    optional((value, version) => like(version === '2.3.1' ? /^[YNFB]$/ : /^[YN]$/)(value)),
  ),
  threeDSRequestorPriorAuthenticationInfo: optional(objectOrList),
  threeDSRequestorSpcSupport: since2_3_1(optional(like(/^Y$/))),
  threeDSRequestorURL: required(address(2048)),
  notificationURL: required(address(256)),
  payeeOrigin: since2_3_1(requiredIf(isPresent('threeDSRequestorSpcSupport'), address(2048))),
  spcIncompInd: since2_3_1(optional(like(/^0[1-3]$/))),
  broadInfo: since2_3_1(optional(isObject)),

  acctNumber: required(like(/^\d{13,19}$/)),
  cardExpiryDate: optional(like(/^\d\d(?:0[1-9]|1[0-2])$/)),
  cardholderName: optional(text(45, 2)),
  cardSecurityCode: since2_3_1(optional(like(/^\d{3,4}$/))),
  cardSecurityCodeStatus: since2_3_1(optional(like(/^[YNU]$/))),
  cardSecurityCodeStatusSource: since2_3_1(requiredIf(isPresent('cardSecurityCodeStatus'), like(/^(?:0[12]|[89]\d)$/))),
  acctType: optional(like(/^(?:0[1-3]|[89]\d)$/)),
  acctID: optional(text(64)),
  acctInfo: optional(withMembers(accountMembers)),
  payTokenInd: optional((value) => value === true),
  payTokenInfo: since2_3_1(optional(json(10_000))),
  payTokenSource: since2_2(requiredIf(isPresent('payTokenInd'), like(/^(?:0[12]|[89]\d)$/))),
  deviceId: since2_3_1(optional(text(64))),
  userId: since2_3_1(optional(text(64))),
  deviceBindingStatus: since2_3_1(optional(like(/^(?:0[1-5]|1[1-5])$/))),
  deviceBindingStatusSource: since2_3_1(requiredIf(isPresent('deviceBindingStatus'), like(/^(?:0[1-3]|[89]\d)$/))),
  whiteListStatus: in2_2(optional(like(/^[YN]$/))),
  whiteListStatusSource: in2_2(requiredIf(isPresent('whiteListStatus'), like(/^(?:0[1-3]|[89]\d)$/))),
  trustListStatus: since2_3_1(optional(like(/^[YN]$/))),
  trustListStatusSource: since2_3_1(requiredIf(isPresent('trustListStatus'), like(/^(?:0[1-3]|[89]\d)$/))),

  acquirerBIN: requiredIf(ofPayment, text(11)),
  acquirerCountryCode: since2_3_1(required(like(/^\d{3}$/))),
  acquirerCountryCodeSource: since2_3_1(required(like(/^\d{2}$/))),
  acquirerMerchantID: requiredIf(ofPayment, text(35)),
  mcc: requiredIf(ofPayment, like(/^\d{4}$/)),
  merchantCountryCode: requiredIf(ofPayment, like(/^\d{3}$/)),
  merchantName: requiredIf(ofPayment, text(40)),
  merchantRiskIndicator: optional(withMembers(riskMembers)),
  multiTransaction: since2_3_1(optional(json(10_000))),
  sellerInfo: since2_3_1(optional(listOf(isObject, 50))),
  taxId: since2_3_1(optional(text(45))),

  purchaseAmount: requiredIf(withPurchase, like(/^\d{1,48}$/)),
  purchaseCurrency: requiredIf(withPurchase, like(/^\d{3}$/)),
  purchaseExponent: requiredIf(withPurchase, like(/^\d$/)),
  purchaseDate: requiredIf(withPurchase, date(14)),
  purchaseInstalData: requiredIf(
    ({ threeDSRequestorAuthenticationInd: reason }) => reason === '03',
    (value) => like(/^\d{1,3}$/)(value) && Number(value) > 1,
  ),
  recurringAmount: since2_3_1(
    requiredIf((areq) => isRepeated(areq) && indicator(areq, 'amountInd') === '01', like(/^\d{1,48}$/)),
  ),
  recurringCurrency: since2_3_1(requiredIf(isPresent('recurringAmount'), like(/^\d{3}$/))),
  recurringExponent: since2_3_1(requiredIf(isPresent('recurringAmount'), like(/^\d$/))),
  recurringDate: since2_3_1(requiredIf(hasInterval, date(8))),
  recurringExpiry: requiredIf((areq, version) => isRepeated(areq) && version !== '2.3.1', date(8)),
  recurringFrequency: requiredIf(hasInterval, like(/^\d{1,4}$/)),
  recurringInd: since2_3_1(
    requiredIf(
      isRepeated,
      withMembers({ amountInd: like(/^(?:0[12]|[89]\d)$/), frequencyInd: like(/^(?:0[12]|[89]\d)$/) }),
    ),
  ),
  // States the kind of payment.
  transType: optional(like(/^(?:01|03|10|11|28)$/)),

  acceptLanguage: since2_3_1(required(listOf(language(100), 99))),
  browserAcceptHeader: required(text(2048)),
  browserIP: optional(ip),
  browserJavascriptEnabled: since2_2(required(isBoolean)),
  browserJavaEnabled: requiredIf(withScripts, isBoolean),
  browserLanguage: requiredIf((areq, version) => version !== '2.3.1' || withScripts(areq, version), language(8)),
  browserColorDepth: requiredIf(withScripts, like(/^(?:1|4|8|15|16|24|32|48)$/)),
  browserScreenHeight: requiredIf(withScripts, like(/^\d{1,6}$/)),
  browserScreenWidth: requiredIf(withScripts, like(/^\d{1,6}$/)),
  browserTZ: requiredIf(withScripts, like(/^[+-]?\d{1,4}$/)),
  browserUserAgent: required(text(2048)),

  email: optional(email),
  homePhone: optional(phone),
  mobilePhone: optional(phone),
  workPhone: optional(phone),
  addrMatch: optional(like(/^[YN]$/)),
  ...addressFields('billAddr'),
  ...addressFields('shipAddr'),
}

/**
 * Returns the fields that an AReq of this version and category may have; those of the newest version if it is unknown.
 */
export function areqFields(version: MessageVersion, category: unknown): Record<string, Field> {
  const fields = Object.entries(AREQ_FIELDS).filter(([name, { versions }]) => {
    if (name === 'transType' && category === '02') return false
    return versions === undefined || versions.includes(version)
  })
  return Object.fromEntries(fields)
}
