/** A card number as it may lie in the database. */
export interface SealedCard {
  id: string
  key_id: string
  number_ciphertext: Buffer
  fingerprint: Buffer
  fingerprint_key_id: string
}
