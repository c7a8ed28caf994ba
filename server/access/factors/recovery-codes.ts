import { randomBase32 } from '../../lib/ids.ts'
import { credentialHash, credentialHashes, type Keyring } from '../../lib/keyring.ts'

const CODES = 10
/** Length of a code: 60 random bits. */
const CHARACTERS = 12

/** Creates ten codes such as `K7QX-4M2P-9RTW` to show once, and the hashes to store. */
export function newRecoveryCodes(keyring: Keyring): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: CODES }, () => randomBase32(CHARACTERS))
  return {
    codes: codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-')),
    hashes: codes.map((code) => credentialHash(keyring, textOf(code))),
  }
}

/**
 * Returns the hashes of a code under all master keys. The letters O, I and L are read as the digits that people mistake
 * for them.
 */
export function recoveryCodeHashes(keyring: Keyring, code: string): Buffer[] {
  const plain = code.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return credentialHashes(keyring, textOf(plain))
}

const textOf = (code: string) => `recovery code ${code}`
