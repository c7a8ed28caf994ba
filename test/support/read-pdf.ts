import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/**
 * Returns what a reader finds in a PDF: the text of each page with spaces between its parts, its metadata, the roles of
 * the first page's parts, and parts that overlap or are at the edge of the paper.
 */
export async function readPdf(bytes: Buffer) {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const pages: string[] = []
  const sizes: number[][] = []
  const roles = new Set<string>()
  const misplaced: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const items = (await page.getTextContent()).items.filter((item) => 'str' in item)
    pages.push(
      items
        .map(({ str }) => str)
        .join(' ')
        .replace(/\s+/g, ' '),
    )
    misplaced.push(...misplacedOf(items, page.view))
    if (number === 1) rolesOf(await page.getStructTree(), roles)
    sizes.push(page.view.map(Math.round))
  }
  const { info } = await document.getMetadata()
  return { pages, sizes, info: info as Record<string, unknown>, roles, misplaced }
}

interface Part {
  role?: string
  children?: object[]
}

function rolesOf({ role, children = [] }: Part, roles: Set<string>): void {
  if (role) roles.add(role)
  for (const child of children) rolesOf(child, roles)
}

/** Distance from the edge of the paper that printers leave white, in points. */
const EDGE = 18

function misplacedOf(
  items: readonly { str: string; transform: number[]; width: number; height: number }[],
  view: number[],
) {
  const [, , right = 0, top = 0] = view
  const boxes = items
    .filter(({ str }) => str.trim() !== '')
    .map(({ str, width, height, transform: [, , , , x = 0, y = 0] }) => ({
      ...{ str, left: x, right: x + width },
      ...{ bottom: y - height / 4, top: y + (height * 3) / 4 },
    }))
  const off = boxes.filter(
    (box) => box.left < EDGE || box.right > right - EDGE || box.bottom < EDGE || box.top > top - EDGE,
  )
  const pairs = boxes.flatMap((one, index) => boxes.slice(index + 1).map((other) => ({ one, other })))
  const over = pairs.filter(
    ({ one, other }) =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5 &&
      Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom) > 0.5,
  )
  return [...off.map(({ str }) => str), ...over.map(({ one, other }) => `${one.str} × ${other.str}`)]
}
