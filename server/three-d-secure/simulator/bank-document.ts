import { createHash } from 'node:crypto'
import type { BankTexts } from './bank-texts.ts'

// Frame of every page of the simulated bank. The only script on a page is the one that posts the payer back.

export interface BankPage {
  status: number
  html: string
  /** Headers of this page in addition to the common ones. */
  headers: Record<string, string>
}

interface Parts {
  texts: BankTexts
  title: string
  /** HTML of the body. */
  body: string
  /** Origins to which the page's form may post; `'self'` for its own. */
  formAction: string
  /** Whether a script submits the page's form at once. */
  submitsItself?: boolean
  status?: number
}

const SUBMIT = 'document.forms[0].submit()'

const STYLE = `
:root{color-scheme:light dark;--ground:#f3f5fa;--page:#fff;--text:#1a2233;--muted:#56607a;--line:#d5dae6;--field:#8089a0;--brand:#14365f;
--accent:#1d54c4;--on-accent:#fff;--wrong:#b3261e;--wrong-page:#fdf0ef}
@media (prefers-color-scheme:dark){:root{--ground:#0e1118;--page:#151922;--text:#eef1f8;--muted:#a9b2c7;--line:#333b4d;--field:#7d879f;
--brand:#0d2340;--accent:#9dbdff;--on-accent:#0c1a36;--wrong:#ffb4ab;--wrong-page:#3a1c1a}}
*{box-sizing:border-box;margin:0}
html{height:100%;font:400 15px/1.4 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
body{min-height:100%;background:var(--page);color:var(--text);display:flex;flex-direction:column}
header{background:var(--brand);color:#fff;padding:10px 16px;display:flex;align-items:center;gap:8px;font-weight:600}
header svg{flex:none}
main{width:100%;max-width:420px;margin:0 auto;padding:16px;display:flex;flex-direction:column;gap:12px;flex:1}
h1{font-size:18px;line-height:1.25}
dl{display:grid;grid-template-columns:auto 1fr;gap:4px 16px;border:1px solid var(--line);border-radius:8px;padding:10px 12px}
dt{color:var(--muted)}
dd{text-align:right;font-weight:600;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
form{display:flex;flex-direction:column;gap:6px}
label{font-weight:600}
input{font:inherit;font-size:18px;letter-spacing:.15em;font-variant-numeric:tabular-nums;width:100%;min-height:44px;
padding:6px 12px;color:inherit;background:var(--page);border:1px solid var(--field);border-radius:8px}
input[aria-invalid]{border:2px solid var(--wrong)}
.wrong{color:var(--wrong);background:var(--wrong-page);border-radius:6px;padding:6px 10px;font-weight:600}
.actions{display:flex;flex-wrap:wrap;gap:8px;margin-top:6px}
button{font:inherit;font-weight:600;min-height:44px;flex:1 1 90px;padding:6px 12px;border-radius:8px;cursor:pointer;
border:1px solid var(--field);background:var(--page);color:inherit}
.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
input:focus-visible,button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.muted{color:var(--muted)}
.hint{color:var(--muted);font-size:13px}
@media (max-width:340px){html{font-size:14px}header{padding:8px 12px}main{padding:10px 12px;gap:8px}h1{font-size:16px}
dl{padding:6px 10px;gap:2px 10px}.hint{font-size:12px}}
@media (max-height:420px){main{padding-top:10px;padding-bottom:8px;gap:8px}}
@media (min-width:560px) and (min-height:560px){body{background:var(--ground)}h1{font-size:20px}
main{flex:none;margin:40px auto;padding:24px;gap:16px;background:var(--page);border:1px solid var(--line);border-radius:12px}}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`

const MARK = `<svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" fill="currentColor"><path d="M10 1 1 6v2h18V6zM3 9h2v6H3zm4 0h2v6H7zm4 0h2v6h-2zm4 0h2v6h-2zM1 16h18v3H1z"/></svg>`

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const STYLE_HASH = hash(STYLE)
const SUBMIT_HASH = hash(SUBMIT)

export function bankDocument({ texts, title, body, formAction, submitsItself = false, status = 200 }: Parts): BankPage {
  const html = `<!doctype html>
<html lang="${texts.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)} · ${escapeHtml(texts.bank)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>${MARK}<span>${escapeHtml(texts.bank)}</span></header>
<main aria-label="${escapeHtml(texts.bank)}">${body}</main>
${submitsItself ? `<script>${SUBMIT}</script>` : ''}</body>
</html>`
  const scripts = submitsItself ? ` script-src ${SUBMIT_HASH};` : ''
  const policy = `default-src 'none'; style-src ${STYLE_HASH};${scripts} form-action ${formAction}; base-uri 'none'`
  return { status, html, headers: { 'content-security-policy': policy } }
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
