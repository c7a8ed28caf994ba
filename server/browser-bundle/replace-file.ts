import { rename, writeFile } from 'node:fs/promises'

let drafts = 0

/** Replaces a file atomically, so that no reader sees a part of it. Two simultaneous calls have different drafts. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const draft = `${path}.${process.pid}.${drafts++}.draft`
  await writeFile(draft, content)
  await rename(draft, path)
}
