import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { PageAssets } from './checkout/payment-page-routes.ts'

const BUILD = fileURLToPath(new URL('../build/payment-form/', import.meta.url))

/**
 * The payment form's script as scripts/build-browser.ts left it. Read once: no path of a request ever reaches the disk.
 *
 * @throws when it was not built
 */
export function readPaymentFormScript(): PageAssets {
  const { script } = JSON.parse(readFileSync(`${BUILD}manifest.json`, 'utf8')) as {
    script: { file: string; integrity: string }
  }
  return { ...script, code: readFileSync(`${BUILD}${script.file}`) }
}
