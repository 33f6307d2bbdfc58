import { download, multipart, named, Type } from '@icosa/contract'
import { api, file, maxFormBytes } from '../shapes/contract.ts'

const Sample = multipart('Sample', { file })

export const samples = {
  unpack: api.post('/unpack', {
    summary: 'Unpack a packed program: emulate it up to its original entry point and rebuild the file from its memory.',
    body: Sample,
    maxBytes: maxFormBytes,
    reads: true,
    replies: { 200: download({ types: ['application/octet-stream'] }) },
  }),
  emulationOutput: api.post('/emulation-output', {
    summary:
      'What a program does while it is emulated: calls of the system in order, layers that come off, why it ended.',
    body: Sample,
    maxBytes: maxFormBytes,
    headers: Type.Object({ accept: Type.Optional(Type.String()) }),
    reads: true,
    replies: { 200: named('EmulationOutput', { output: Type.Array(Type.String()) }) },
    media: ['text/html; charset=utf-8'],
  }),
  clean: api.head('/clean', {
    summary: 'Delete the files that were uploaded from your address, and what was found in them.',
    replies: { 204: null },
  }),
}
