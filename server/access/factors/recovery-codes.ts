import { randomBase32 } from '../../lib/ids.ts'
import { credentialHash, credentialHashes, type Keyring } from '../../lib/keyring.ts'

const CODES = 10
/** 60 random bits. */
const CHARACTERS = 12

/** Ten codes to show once, as `K7QX-4M2P-9RTW`, and what is stored of them. */
export function newRecoveryCodes(keyring: Keyring): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: CODES }, () => randomBase32(CHARACTERS))
  return {
    codes: codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-')),
    hashes: codes.map((code) => credentialHash(keyring, textOf(code))),
  }
}

/** Under all master keys. People mistake O and I for the digits. */
export function recoveryCodeHashes(keyring: Keyring, code: string): Buffer[] {
  const plain = code.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return credentialHashes(keyring, textOf(plain))
}

const textOf = (code: string) => `recovery code ${code}`
