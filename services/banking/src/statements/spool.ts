import { createSign } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignableMedia } from '../dialect/signature.ts'

/**
 * Content of any length, in constant memory. The signature goes before the content, in a header, so the content waits in a
 * file meanwhile. The file has no name once it is open: nothing of it outlives the reply, however that ends.
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
