import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'

/**
 * An append-only file of JSON lines. Requests share `fdatasync` calls: one that arrives during a call waits for the
 * next.
 *
 * After a failed write every later `durable()` rejects, because the content of the disk is unknown.
 */
export class LedgerFile {
  readonly #handle: FileHandle
  #buffer = ''
  #mustSync = false
  #current: Promise<void> = Promise.resolve()
  #next: Promise<void> | null = null

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  append(line: object): void {
    this.appendLazily(line)
    this.#mustSync = true
  }

  /** Appends a line that may be lost in a crash: it is written with the next durable line, or on close. */
  appendLazily(line: object): void {
    this.#buffer += `${JSON.stringify(line)}\n`
  }

  /** Resolves when every line appended so far is on the disk. */
  durable(): Promise<void> {
    if (!this.#mustSync) return this.#next ?? this.#current
    this.#next ??= this.#flushAfter(this.#current)
    return this.#next
  }

  async close(): Promise<void> {
    this.#mustSync ||= this.#buffer !== ''
    await this.durable().finally(() => this.#handle.close())
  }

  async #flushAfter(previous: Promise<void>): Promise<void> {
    await previous
    if (this.#next) this.#current = this.#next
    this.#next = null
    this.#mustSync = false
    const text = this.#buffer
    this.#buffer = ''
    await this.#handle.appendFile(text)
    await this.#handle.datasync()
  }
}

/**
 * Opens or creates the file and passes every line in it to `read`. A last line torn by a crash is truncated: it was
 * never acknowledged.
 *
 * @throws when an earlier line is damaged
 */
export async function openLedgerFile(path: string, read: (line: unknown) => void): Promise<LedgerFile> {
  await mkdir(dirname(path), { recursive: true })
  const handle = await open(path, 'a', 0o600)
  try {
    const { size } = await handle.stat()
    const goodBytes = await readLines(path, size, read)
    if (goodBytes < size) await handle.truncate(goodBytes)
    await handle.datasync()
    return new LedgerFile(handle)
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function readLines(path: string, size: number, read: (line: unknown) => void): Promise<number> {
  let goodBytes = 0
  let number = 0
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const end = goodBytes + Buffer.byteLength(text) + 1
    number += 1
    const line = end > size ? undefined : parsed(text)
    if (line === undefined && end < size) throw new Error(`${path}: line ${number} is damaged`)
    if (line === undefined) break
    read(line)
    goodBytes = end
  }
  return goodBytes
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
