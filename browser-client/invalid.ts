import { ServiceCheckoutError } from './errors.ts'

/** @param name the option, or the field of the session, that is missing or wrong */
export function invalid(name: string): ServiceCheckoutError {
  return new ServiceCheckoutError('invalid_options', { message: `Check ${name}` })
}
