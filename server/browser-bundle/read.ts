import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ClientLibrary } from '../checkout/page/client-library-routes.ts'
import type { PageAssets } from '../checkout/page/page-reply.ts'

// Reads the output of server/browser-bundle/build.ts and the released files of the client library, once at the start.
// The path of a request never reaches the disk.

const BUILD = fileURLToPath(new URL('../../build/', import.meta.url))
const RELEASED = fileURLToPath(new URL('../../browser-client/released/', import.meta.url))

interface Bundle {
  file: string
  integrity: string
  code: Buffer
}

/** @throws if the bundle was not built */
function readBundle(name: string): Bundle {
  const { script } = JSON.parse(readFileSync(`${BUILD}${name}/manifest.json`, 'utf8')) as {
    script: { file: string; integrity: string }
  }
  const { file, integrity } = script
  return { file, integrity, code: readFileSync(`${BUILD}${name}/${file}`) }
}

export function readPaymentFormScript(): PageAssets {
  return { ...readBundle('payment-form'), wallet: readBundle('google-pay-button') }
}

export function readClientLibrary(): ClientLibrary {
  const names = ['rialto-checkout', 'rapid'] as const
  return {
    current: names.map((name) => ({ name, code: readBundle(`browser-client/${name}`).code.toString() })),
    released: readdirSync(RELEASED).map((version) => ({ version, files: readFiles(`${RELEASED}${version}/`) })),
  }
}

function readFiles(folder: string): Record<string, Buffer> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(folder + name)]))
}
