import { hash } from 'node:crypto'

// The page of the API reference: a viewer for /openapi.json. It makes requests to this service only, and sends no data.

/** Options of the viewer. Its test requests are off, because the API refuses browsers. */
const VIEWER_OPTIONS = {
  url: '/openapi.json',
  hideTestRequestButton: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}

/**
 * Starts the viewer and repairs its accessibility: unnamed copy buttons, scroll areas without keyboard access,
 * landmarks with the same name.
 */
const START = `Scalar.createApiReference('#reference', ${JSON.stringify(VIEWER_OPTIONS)})
new MutationObserver(() => {
  const each = (selector, change) => document.querySelectorAll(selector).forEach(change)
  each('.scalar-code-copy:not([aria-label])', (button) => { button.ariaLabel = 'Copy' })
  each('.scalar-card-content:not([tabindex]), .endpoints:not([tabindex])', (box) => { box.tabIndex = 0 })
  each('.response-card[role=region]', (card) => { card.role = 'group' })
}).observe(document.body, { childList: true, subtree: true })`

/** Style in place of the viewer's own greys and small buttons, which do not meet WCAG 2.2 AA. */
const STYLE = `
body { margin: 0 }
.light-mode, .light-mode .scalar-api-reference, .light-mode .t-doc__sidebar {
  --scalar-color-2: #595959; --scalar-color-3: #636363; --scalar-sidebar-color-2: #595959;
  --scalar-color-blue: #0062a3; --scalar-color-green: #00653e; --scalar-color-orange: #9a4a00;
  --scalar-color-red: #b4091c; --scalar-color-yellow: #7a5c00;
}
.dark-mode, .dark-mode .scalar-api-reference, .dark-mode .t-doc__sidebar {
  --scalar-color-2: #b0b0b0; --scalar-color-3: #9c9c9c; --scalar-sidebar-color-2: #b0b0b0; --scalar-color-red: #ff6b6b;
}
.scalar-app [tabindex="-1"]:focus-visible { outline: none }
.scalar-app button { min-width: 24px; min-height: 24px }
`

/** Headers of the page. The viewer adds inline styles, so the policy allows them; scripts are allowed one by one. */
export const REFERENCE_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash('sha256', START, 'base64')}'`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

/** @param script the path of the viewer's script */
export function referencePage(script: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rialto API</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<noscript>The reference needs JavaScript. Its source is <a href="/openapi.json">openapi.json</a>.</noscript>
<div id="reference"></div>
<script src="${script}"></script>
<script>${START}</script>
</body>
</html>
`
}
