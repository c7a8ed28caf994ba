// Searches the files, logs and tables of the service for credentials. Findings are named, never repeated.

/** The secrets, by their name in reports. */
export type Secrets = Record<string, string>

/** The encodings in which our text could contain a secret. */
const SPELLINGS: Record<string, (secret: string) => string[]> = {
  plain: (secret) => [secret],
  'upper case': (secret) => [secret.toUpperCase()],
  base64: (secret) => [0, 1, 2].map((shift) => base64Core(secret, shift)),
  'base64, for URLs': (secret) => [0, 1, 2].map((shift) => forUrls(base64Core(secret, shift))),
  hex: (secret) => [Buffer.from(secret).toString('hex')],
  'hexadecimal digits as base64': (secret) => {
    const bytes = /^(?:[0-9a-f]{2})+$/.test(secret) ? Buffer.from(secret, 'hex') : null
    return bytes ? [bytes.toString('base64').slice(0, 40), bytes.toString('base64url').slice(0, 40)] : []
  },
  'URL-encoded': (secret) => [encodeURIComponent(secret)],
  reversed: (secret) => [[...secret].reverse().join('')],
}

/** The part of the base64 text that does not depend on the surrounding bytes. */
function base64Core(text: string, shift: number): string {
  return Buffer.from('x'.repeat(shift) + text)
    .toString('base64')
    .slice(shift === 0 ? 0 : 4, -4)
}

const forUrls = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_')

/** @returns the findings, such as `public.rate_limit: session token, plain` */
export function findSecrets(text: string, secrets: Secrets): string[] {
  // Most texts contain none of them, so the lines are only searched for those that the whole text contains.
  const known = Object.entries(secrets).flatMap(([name, secret]) =>
    Object.entries(SPELLINGS)
      .flatMap(([how, spell]) => spell(secret).map((spelling) => ({ name: `${name}, ${how}`, spelling })))
      .filter(({ spelling }) => text.includes(spelling)),
  )
  const lines = known.length > 0 ? text.split('\n') : []
  const found = lines.flatMap((line) => {
    const [place = ''] = line.split(' ', 1)
    return known.filter(({ spelling }) => line.includes(spelling)).map(({ name }) => `${place.slice(0, 40)}: ${name}`)
  })
  return [...new Set(found)]
}
