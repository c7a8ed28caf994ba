import type { Customer as CustomerObject } from '../../contract/customer.ts'
import type { Metadata } from '../../contract/formats.ts'
import { epochSeconds } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'

/** Who pays. */
export interface Customer {
  id: string
  name: string | null
  /** As it was given. Two that differ only in case are one. */
  email: string | null
  phone: string | null
  metadata: Metadata
  createdAt: Date
}

export interface NewCustomer extends Customer {
  businessId: string
}

/** As the merchant API and its events show it. */
export function customerObject({ id, name, email, phone, metadata, createdAt }: Customer): CustomerObject {
  return { id, object: 'customer', name, email, phone, metadata, created: epochSeconds(createdAt) }
}

/** @throws ApiError `validation_failed` for somebody whom nothing names */
export function requireNamed({ name, email }: { name?: string | null; email?: string | null }): void {
  if (name?.trim() || email) return
  const text = 'is required when the other one of name and email is missing'
  throw new ApiError('validation_failed', {
    message: 'Send a name, an email, or both',
    errors: { name: [text], email: [text] },
  })
}

export const noSuchCustomer = () =>
  new ApiError('not_found', { message: 'No such customer', errors: { id: ['does not exist in this business'] } })
