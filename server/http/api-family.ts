/** Spec, «Versioning»: what every answer under its prefix is labelled with. */
export const MERCHANT_API_VERSION = 'v1.0'

/** Whether a path, known or not, is of the secret-key API: its errors have their own envelope. */
export const isMerchantApi = (url: string): boolean => /^\/api\/v1(?:[/?]|$)/.test(url)
