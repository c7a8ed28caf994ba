/**
 * What the issuer found of the address and of the security code, each as one letter of the card networks. Never what
 * was checked.
 *
 * @see GTW-2
 */
export interface CheckResults {
  /** `Y` both match, `A` the street alone, `Z` the postal code alone, `N` neither. */
  avsResult?: string
  /** `M` matches, `N` does not. */
  cvvResult?: string
}
