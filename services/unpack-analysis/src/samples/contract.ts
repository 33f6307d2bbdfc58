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
    summary: 'Trace the emulation of a program: system calls in order, unpacked layers, and why it stopped.',
    body: Sample,
    maxBytes: maxFormBytes,
    headers: Type.Object({ accept: Type.Optional(Type.String()) }),
    reads: true,
    replies: { 200: named('EmulationOutput', { output: Type.Array(Type.String()) }) },
    media: ['text/html; charset=utf-8'],
  }),
  clean: api.head('/clean', {
    summary: 'Delete the uploads of your address and their analyses.',
    replies: { 204: null },
  }),
}
