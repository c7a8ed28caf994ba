/**
 * Results of the issuer's checks of address and security code, each as one letter of the card networks. The checked
 * data itself is not included.
 *
 * @see GTW-2
 */
export interface CheckResults {
  /** AVS result: `Y` both match, `A` only the street, `Z` only the postal code, `N` neither. */
  avsResult?: string
  /** CVV result: `M` matches, `N` does not match. */
  cvvResult?: string
}
