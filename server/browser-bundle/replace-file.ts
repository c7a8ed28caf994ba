import { rename, writeFile } from 'node:fs/promises'

/** Replaces a file atomically, so that no reader sees a part of it. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const draft = `${path}.${process.pid}.draft`
  await writeFile(draft, content)
  await rename(draft, path)
}
