import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { LibraryScript } from './checkout/client-library-routes.ts'
import type { PageAssets } from './checkout/payment-page-routes.ts'

// What scripts/build-browser.ts left in build/. Read once: no path of a request ever reaches the disk.

const BUILD = fileURLToPath(new URL('../build/', import.meta.url))

interface Bundle {
  file: string
  integrity: string
  code: Buffer
  version: string
}

/** @throws when it was not built */
function readBundle(name: string): Bundle {
  const { script, version = '' } = JSON.parse(readFileSync(`${BUILD}${name}/manifest.json`, 'utf8')) as {
    script: { file: string; integrity: string }
    version?: string
  }
  return { ...script, version, code: readFileSync(`${BUILD}${name}/${script.file}`) }
}

export function readPaymentFormScript(): PageAssets {
  const { file, integrity, code } = readBundle('payment-form')
  return { file, integrity, code }
}

export function readClientLibrary(): LibraryScript[] {
  return ['rialto-checkout', 'rapid'].map((name) => {
    const { version, integrity, code } = readBundle(`browser-client/${name}`)
    return { name, version, integrity, code }
  })
}
