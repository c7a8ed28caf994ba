import type { Business } from '../businesses/business.ts'
import { isTimeZone } from '../businesses/check-business.ts'
import { invalidField } from '../lib/errors.ts'
import { timeWriter } from './export/csv.ts'

/**
 * @param zone time zone that a person chose; absent for that of the business
 * @throws ApiError `validation_failed`
 */
export function timeWriterOf({ timeZone }: Pick<Business, 'timeZone'>, zone: string | undefined) {
  if (zone !== undefined && !isTimeZone(zone))
    throw invalidField('time_zone', 'must be an IANA name, such as America/Toronto')
  return timeWriter(zone ?? timeZone)
}
