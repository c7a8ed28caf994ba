/**
 * Reads the body of a response whose length another side decides.
 *
 * @throws if it is longer than allowed; the rest is not read
 */
export async function readBoundedText(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > bytesMax) throw new Error(`the response is longer than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
