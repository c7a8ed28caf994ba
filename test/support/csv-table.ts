/** Returns the cells of a CSV file by line; the first line has the names of the columns. */
export function csvTable(file: string): string[][] {
  const lines: string[][] = [[]]
  for (const [, cell = '', end] of file.replace(/^\uFEFF/, '').matchAll(/("(?:[^"]|"")*"|[^,"\r\n]*)(,|\r\n)/g)) {
    lines.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end !== ',') lines.push([])
  }
  return lines.slice(0, -1)
}
