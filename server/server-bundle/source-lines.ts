import { readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './find-bundle.ts'

// Stack traces of the bundle name the source file and line. Node's own source maps would read 11 MB at the start and
// take 150 MB (measured); these tables are read only when a stack is.

/** Ending that follows the name of a script. */
export const TABLE_ENDING = '.lines'

/**
 * Origins of a script's lines. The first line of the table has the sources as JSON, and each further one describes one
 * line of the script as `column source line`, separated by commas. Columns and sources count from 0, lines from 1.
 */
export type LineTable = string

/** Makes stack traces of a bundle's scripts name the sources. */
export function nameSourceLines(folder: string): void {
  const prefix = pathToFileURL(folder + sep).href
  const known = new Map<string, string>()
  const sourceOf = (position: string, file: string, line: string, column: string): string => {
    const found = known.get(position) ?? findSource(folder, file, Number(line), Number(column)) ?? position
    known.set(position, found)
    return found
  }
  const positions = new RegExp(`${RegExp.escape(prefix)}([\\w.-]+):(\\d+):(\\d+)`, 'g')
  Error.prepareStackTrace = (error, frames) =>
    [Error.prototype.toString.call(error), ...frames.map((frame) => `    at ${frame}`)]
      .join('\n')
      .replace(positions, sourceOf)
}

/** @returns a source such as `file:///srv/rialto/server/main.ts:12`; `null` for code of the bundler itself */
function findSource(folder: string, file: string, line: number, column: number): string | null {
  try {
    return placeIn(readFileSync(join(folder, file + TABLE_ENDING), 'utf8'), line, column)
  } catch {
    // A later build removed the folder. A stack without sources is better than none.
    return null
  }
}

function placeIn(table: LineTable, line: number, column: number): string | null {
  const rows = table.split('\n', line + 1)
  const parts = (rows[line] ?? '').split(',').map((part) => part.split(' ').map(Number))
  const part = parts.findLast(([start = 0]) => start < column)
  const [, source = -1, sourceLine] = part ?? []
  const path = JSON.parse(rows[0] ?? '[]')[source]
  return path === undefined ? null : `${pathToFileURL(join(ROOT, path)).href}:${sourceLine}`
}
