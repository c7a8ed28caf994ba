import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** What a reader finds in a PDF: the text of each page with spaces between its parts, its metadata, and the roles of the first page's parts. */
export async function readPdf(bytes: Buffer) {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const pages: string[] = []
  const sizes: number[][] = []
  const roles = new Set<string>()
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    pages.push(
      items
        .map((item) => ('str' in item ? item.str : ''))
        .join(' ')
        .replace(/\s+/g, ' '),
    )
    if (number === 1) rolesOf(await page.getStructTree(), roles)
    sizes.push(page.view.map(Math.round))
  }
  const { info } = await document.getMetadata()
  return { pages, sizes, info: info as Record<string, unknown>, roles }
}

interface Part {
  role?: string
  children?: object[]
}

function rolesOf({ role, children = [] }: Part, roles: Set<string>): void {
  if (role) roles.add(role)
  for (const child of children) rolesOf(child, roles)
}
