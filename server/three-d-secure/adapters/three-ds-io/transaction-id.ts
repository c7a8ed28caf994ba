import Type from 'typebox'

/** UUID in either case. */
export const TransactionId = () => Type.String({ pattern: '^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' })
