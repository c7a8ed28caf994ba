import type { Customer as CustomerObject } from '../../contract/customer.ts'
import type { Metadata } from '../../contract/formats.ts'
import type { Locale } from '../../contract/payment-page.ts'
import { epochSeconds } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'

/** A person who pays a business. */
export interface Customer {
  id: string
  name: string | null
  /** Email as given. Emails that differ only in case are the same. */
  email: string | null
  phone: string | null
  metadata: Metadata
  createdAt: Date
}

export interface NewCustomer extends Customer {
  businessId: string
  /** Language of the payment page; absent or `null` if unknown. */
  locale?: Locale | null
}

/** Returns the customer as the merchant API and its events show it. */
export function customerObject({ id, name, email, phone, metadata, createdAt }: Customer): CustomerObject {
  return { id, object: 'customer', name, email, phone, metadata, created: epochSeconds(createdAt) }
}

/** @throws ApiError `validation_failed` if both name and email are missing */
export function requireNamed({ name, email }: { name?: string | null; email?: string | null }): void {
  if (name?.trim() || email) return
  throw new ApiError('validation_failed', {
    message: 'Send a name, an email, or both',
    errors: { name: ['is required without email'], email: ['is required without name'] },
  })
}

export const noSuchCustomer = () =>
  new ApiError('not_found', { message: 'No such customer', errors: { id: ['does not exist in this business'] } })
