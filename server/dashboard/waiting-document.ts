import { html } from 'ghtml'
import type { Locale } from '../../contract/payment-page.ts'
import { ASSETS } from './document.ts'

const TEXTS: Record<'building' | 'missing', Record<Locale, string>> = {
  building: {
    en: 'The dashboard is being prepared. This page opens it in a few seconds.',
    'fr-CA': 'Le tableau de bord est en préparation. Cette page l’ouvre dans quelques secondes.',
    es: 'El panel se está preparando. Esta página lo abre en unos segundos.',
  },
  missing: {
    en: 'The dashboard was not built. Run npm run build, then start the service again.',
    'fr-CA': 'Le tableau de bord n’a pas été construit. Exécutez npm run build, puis redémarrez le service.',
    es: 'El panel no se ha construido. Ejecute npm run build y reinicie el servicio.',
  },
}

/**
 * Name of the script in a document that waits. Unlike the built files, it has no hash in its name and is not cached.
 */
export const WAITING_SCRIPT = 'waiting.js'

/**
 * Reloads the document. A `refresh` header would not do: at an address with a fragment, such as a sign-in link,
 * browsers only scroll to the fragment and load nothing.
 */
export const waitingScript = {
  headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' },
  body: Buffer.from('setTimeout(() => location.reload(), 1_000)\n'),
}

/** Renders what takes the place of the document until its files exist. It reloads itself while they are being built. */
export function waitingDocument(state: 'building' | 'missing', { locale, nonce }: { locale: Locale; nonce: string }) {
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Rialto</title>
<style nonce="${nonce}">
  main { max-width: 32rem; margin: 20vh auto 0; padding: 0 1.5rem; font: 1rem/1.5 system-ui, sans-serif }
</style>
!${state === 'building' ? `<script src="${ASSETS}/${WAITING_SCRIPT}" defer></script>` : ''}
</head>
<body>
<main><h1>Rialto</h1><p>${TEXTS[state][locale]}</p></main>
</body>
</html>
`
}
