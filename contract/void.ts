import Type, { type Static } from 'typebox'
import { Uuid } from './formats.ts'

export const VoidCreate = Type.Object(
  { payment: Type.Unsafe<string>({ ...Uuid(), description: 'A payment of a subscription whose batch is open.' }) },
  { title: 'VoidCreate' },
)
export type VoidCreate = Static<typeof VoidCreate>
