import { buffer } from 'node:stream/consumers'
import { implement, media, notFound } from '@icosa/kernel'
import { artwork as contract } from './contract.ts'
import { thumbnailKey } from './thumbnail.ts'

export const artwork = implement(contract, {
  async getArtwork({ params: { file } }, { blobs }) {
    const name = /^([0-9a-f]{32})\.jpg$/.exec(file)?.[1] ?? notFound('picture', file.slice(0, 100))
    const { body } = await blobs.get(thumbnailKey(name))
    // A picture that changes gets another name.
    return media('image/jpeg', await buffer(body), { 'cache-control': 'public, max-age=31536000, immutable' })
  },
})
