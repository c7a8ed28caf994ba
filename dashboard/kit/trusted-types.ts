// The first import of the program. Mantine fills its style elements through `innerHTML`, which requires a policy; this
// one refuses any text that could be an element (DSH-21).

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): unknown
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }

trustedTypes?.createPolicy('default', {
  createHTML(text) {
    if (text.includes('<')) throw new TypeError('Markup may not be written into the page.')
    return text
  },
})
