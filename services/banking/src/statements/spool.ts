import { createSign } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignableMedia } from '../dialect/signature.ts'

/**
 * Spools content of any length to a temporary file, since its signature is sent first, in a header. The file is unlinked once
 * open, so it never outlives the response.
 */
export async function spooled(mediaType: string, chunks: AsyncIterable<string | Uint8Array>): Promise<SignableMedia> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-statement-'))
  const file = await open(join(folder, 'content'), 'wx+', 0o600).finally(() => rm(folder, { recursive: true }))
  const signing = createSign('sha256')
  async function* signed() {
    for await (const chunk of chunks) {
      signing.update(chunk)
      yield chunk
    }
  }
  try {
    await file.writeFile(signed())
  } catch (error) {
    await file.close()
    throw error
  }
  return new SignableMedia(mediaType, file.createReadStream({ start: 0 }), signing)
}
