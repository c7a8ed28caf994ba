// The policy of the document allows inline styles only from Google; a constructed stylesheet does not count as one.

const CSS = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif; }
* { box-sizing: border-box; }
body { margin: 0; padding: 4px; background: transparent; }
#wallet { block-size: 52px; }
#wallet > div { block-size: 100%; }
.wallet-button {
  inline-size: 100%; min-block-size: 52px; padding: 0.5rem 1rem; border: 1px solid #747775; border-radius: var(--radius);
  background: #000; color: #fff; font: inherit; font-weight: 600; cursor: pointer;
}
[data-scheme=dark] .wallet-button { background: #fff; color: #1f1f1f; }
.wallet-button:hover { background: #3c4043; }
[data-scheme=dark] .wallet-button:hover { background: #e8eaed; }
:focus-visible { outline: 2px solid #0b57d0; outline-offset: 2px; }
[data-scheme=dark] :focus-visible { outline-color: #a8c7fa; }
dialog {
  position: absolute; inset: 4px 4px auto; inline-size: auto; max-inline-size: none; max-block-size: none; margin: 0; padding: 16px;
  border: 1px solid #747775; border-radius: var(--radius); background: #fff; color: #1f1f1f;
}
::backdrop { background: transparent; }
[data-scheme=dark] dialog { background: #1f1f1f; color: #e3e3e3; }
h1 { position: absolute; inline-size: 1px; block-size: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
h2 { margin: 0; font-size: 1.125rem; line-height: 1.3; }
p { margin: 4px 0 12px; font-size: 0.875rem; }
.amount { font-size: 1rem; font-weight: 600; font-variant-numeric: tabular-nums; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 8px; }
dialog button {
  inline-size: 100%; min-block-size: 44px; padding: 6px 12px; border: 1px solid #747775; border-radius: calc(var(--radius) * 0.8);
  background: transparent; color: inherit; font: inherit; text-align: start; cursor: pointer;
}
dialog button:hover { background: rgb(125 125 125 / 12%); }
dialog button[aria-disabled=true] { opacity: 0.6; cursor: progress; }
dialog small { display: block; font-size: 0.8125rem; }
dialog .cancel { margin-block-start: 12px; text-align: center; }
[role=status]:empty { display: none; }
`

export function addStyles(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(CSS)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}
