import { download, extensions, identifier } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeaders } from '../names.ts'

const { get } = keyed(keyHeaders[0], { file: identifier('picture', { pattern: '^[0-9a-f]{32}\\.jpg$' }) })

export const artwork = extensions({
  getArtwork: get('/artwork/{file}', {
    summary: 'Read a thumbnail. Requires no key, since pages embed it and its name cannot be guessed.',
    replies: { 200: download({ types: ['image/jpeg'] }) },
    open: true,
  }),
})
