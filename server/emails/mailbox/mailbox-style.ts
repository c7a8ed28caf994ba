/** Same look as the payment page, for a list and a letter. */
export const MAILBOX_STYLE = `
:root { color-scheme: light dark; --page: #f5f6f8; --surface: #fff; --ink: #14181f; --muted: #545d6b; --line: #dfe3e8;
  --accent: #1f4e8c; --bad: #b0271d; --bad-surface: #fdf1ef; --good: #17703d; --good-surface: #e6f4ec; --calm: #414956;
  --calm-surface: #e9ecf1; --radius: 10px;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --page: #111419; --surface: #1a1f26; --ink: #eef1f5; --muted: #a9b2be;
  --line: #313945; --accent: #8fbcf5; --bad: #ffb0a6; --bad-surface: #3a1f1d; --good: #7fd9a4; --good-surface: #173426;
  --calm: #cdd4dd; --calm-surface: #272e38; } }
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); overflow-wrap: anywhere; -webkit-text-size-adjust: 100%; }
h1, h2, p, ol, dl, dd, pre { margin: 0; padding: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1rem; }
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.page { max-inline-size: 60rem; margin-inline: auto; padding: 1.5rem 1rem 3rem; display: grid; gap: 1.25rem; }
.page > * { min-inline-size: 0; }
.muted { color: var(--muted); }
.head { display: grid; gap: .25rem; }
.panel { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden; }
.letters { list-style: none; }
.letters li { position: relative; display: grid; gap: .125rem 1.5rem; padding: .875rem 1.25rem;
  grid-template-columns: minmax(0, 1fr) auto; }
.letters li + li { border-top: 1px solid var(--line); }
.letters li:hover { background: color-mix(in srgb, var(--accent) 5%, transparent); }
.letters a { font-weight: 600; color: var(--ink); text-decoration: none; }
.letters a::after { content: ""; position: absolute; inset: 0; }
.letters a:focus-visible { outline: none; }
.letters a:focus-visible::after { outline: 2px solid var(--accent); outline-offset: -3px; border-radius: var(--radius); }
.letters time, .letters .status { justify-self: end; white-space: nowrap; }
.small { font-size: .875rem; }
.status { display: inline-block; font-size: .8125rem; font-weight: 600; line-height: 1.25rem; padding: .0625rem .5rem;
  border-radius: 1rem; background: var(--calm-surface); color: var(--calm); }
.status.sent { background: var(--good-surface); color: var(--good); }
.status.failed { background: var(--bad-surface); color: var(--bad); }
.empty { padding: 3rem 1.25rem; text-align: center; display: grid; gap: .25rem; }
.pager { display: flex; justify-content: space-between; gap: 1rem; }
.pager a, .back { display: inline-block; padding-block: .25rem; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .375rem 1.5rem; padding: 1rem 1.25rem; }
.facts dt { color: var(--muted); }
.letter { display: grid; gap: 1.25rem; }
.section { display: grid; gap: .5rem; }
iframe { display: block; inline-size: 100%; block-size: 46rem; border: 0; background: #fff; }
pre { font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; padding: 1rem 1.25rem; }
@media (max-width: 40rem) {
  .letters li { grid-template-columns: minmax(0, 1fr); }
  .letters time, .letters .status { justify-self: start; }
  .facts { column-gap: 1rem; padding-inline: 1rem; }
  iframe { block-size: 38rem; }
}
`
