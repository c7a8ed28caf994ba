/** An encrypted card number with its fingerprint, as stored in `vault_card`. */
export interface SealedCard {
  id: string
  key_id: string
  number_ciphertext: Buffer
  fingerprint: Buffer
  fingerprint_key_id: string
}
