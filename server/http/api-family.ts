/** The label of every response under its prefix (API-3). */
export const MERCHANT_API_VERSION = 'v1.0'

/** Whether a path, known or not, is of the secret-key API: its errors have their own envelope. */
export const isMerchantApi = (url: string): boolean => /^\/api\/v1(?:[/?]|$)/.test(url)

/** Whether a path, known or not, is of the token endpoint: its refusals have the members of RFC 6749 too. */
export const isTokenPath = (url: string): boolean => /^\/api\/oauth(?:[/?]|$)/.test(url)
