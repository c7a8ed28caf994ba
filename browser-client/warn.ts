const said = new Set<string>()

/** Tells the merchant's engineer, in the console and once for each page: a component calls `init` each time it renders. */
export function warn(text: string): void {
  if (said.has(text)) return
  said.add(text)
  // biome-ignore lint/suspicious/noConsole: a page has no other place for its engineer.
  console.warn(`ServiceCheckout: ${text}`)
}
