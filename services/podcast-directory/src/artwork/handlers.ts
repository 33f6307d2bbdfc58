import { blobFile, file, implement } from '@icosa/kernel'
import { artwork as contract } from './contract.ts'
import { thumbnailKey } from './thumbnail.ts'

export const artwork = implement(contract, {
  async getArtwork({ params }, { blobs }) {
    const picture = await blobFile(blobs.shared, thumbnailKey(params.file.slice(0, -'.jpg'.length)))
    // A changed picture gets a new name.
    return file(picture, { 'cache-control': 'public, max-age=31536000, immutable' })
  },
})
