// The payer's browser without scripts, on its way through the bridge documents and the bank's pages: it submits the
// only form of each page.

interface Page {
  url: string
  status: number
  html: string
}

type Fields = Record<string, string>

const HOPS_MAX = 6

async function open(url: string, fields: Fields | null, from: string): Promise<Page> {
  const posted = fields && { method: 'POST', body: new URLSearchParams(fields) }
  const headers = { 'sec-fetch-site': 'cross-site', ...(fields && { origin: new URL(from).origin }) }
  const response = await fetch(url, { ...posted, headers, redirect: 'manual' })
  return { url, status: response.status, html: await response.text() }
}

const decode = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#34;', '"')

function formOf({ html, url }: Page): { action: string; fields: Fields; asksCode: boolean } | null {
  const [, action] = /<form method="post" action="([^"]*)"/.exec(html) ?? []
  if (action === undefined) return null
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, decode(value)]))
  return { action: new URL(decode(action), url).href, fields, asksCode: html.includes('name="code"') }
}

/**
 * Opens the document and submits every form that follows.
 *
 * @param codes codes for pages that ask for one, in order; `cancel` presses the other button
 * @param replace changes what is posted to a URL
 * @returns the last page
 */
export async function throughBank(
  url: string,
  codes: readonly string[] = [],
  replace: (url: string, fields: Fields) => Promise<Fields> = async (_url, fields) => fields,
): Promise<Page> {
  const left = [...codes]
  let page = await open(url, null, url)
  for (let hop = 0; hop < HOPS_MAX; hop++) {
    const form = formOf(page)
    if (form === null) return page
    const code = form.asksCode ? left.shift() : undefined
    if (form.asksCode && code === undefined) return page
    const entered = code === undefined ? {} : code === 'cancel' ? { action: 'cancel' } : { action: 'submit', code }
    page = await open(form.action, await replace(form.action, { ...form.fields, ...entered }), page.url)
  }
  return page
}
