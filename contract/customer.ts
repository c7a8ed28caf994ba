import Type, { type Static } from 'typebox'
import { Email, EpochSeconds, Line, Metadata, Name, Nullable, Uuid } from './formats.ts'
import { ListOf, PAGE } from './list.ts'

const NAME_MAX = 255
const PHONE_MAX = 50

/** A new customer. At least one of name and e-mail is required (CUS-14). */
export const CustomerCreate = Type.Object(
  {
    name: Type.Optional(Name(NAME_MAX)),
    email: Type.Optional(Email()),
    phone: Type.Optional(Line(PHONE_MAX)),
    metadata: Type.Optional(Metadata()),
  },
  { title: 'CustomerCreate', description: 'At least one of name and email is required.' },
)
export type CustomerCreate = Static<typeof CustomerCreate>

/** Absent fields stay as they are; `null` clears a field. Metadata is replaced as a whole. */
export const CustomerUpdate = Type.Object(
  {
    name: Type.Optional(Nullable(Name(NAME_MAX))),
    email: Type.Optional(Nullable(Email())),
    phone: Type.Optional(Nullable(Line(PHONE_MAX))),
    metadata: Type.Optional(Nullable(Metadata())),
  },
  { title: 'CustomerUpdate', description: 'Absent fields stay; null clears a field; metadata is replaced as a whole.' },
)
export type CustomerUpdate = Static<typeof CustomerUpdate>

export const Customer = Type.Object(
  {
    id: Uuid(),
    object: Type.Literal('customer'),
    name: Nullable(Type.String()),
    email: Nullable(Type.String()),
    phone: Nullable(Type.String()),
    metadata: Metadata(),
    created: EpochSeconds(),
  },
  { title: 'Customer' },
)
export type Customer = Static<typeof Customer>

export const CustomerListQuery = Type.Object({
  ...PAGE,
  email: Type.Optional(
    Type.Unsafe<string>({ ...Email(), description: 'Only the customer with this e-mail, compared without case.' }),
  ),
})
export type CustomerListQuery = Static<typeof CustomerListQuery>

export const CustomerList = ListOf(Customer, 'CustomerList')
